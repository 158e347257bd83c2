/** An answer of OpenAPI: a component, or said in place. */
export interface ResponseObject {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: object
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

/** An operation of OpenAPI, as far as it is written here. */
export interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  /** Where it is answered, where that is not the site alone. */
  readonly servers?: readonly { readonly url: string }[]
  readonly 'x-payment-info'?: object
  readonly security: readonly object[]
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, ResponseObject>>
}

/** Whether a parameter stands in the path; one that is a reference does not. */
export const isInPath = (parameter: object): boolean => 'in' in parameter && parameter.in === 'path'

/** How an address is asked what it answers: beside the operation that it has for everybody. */
export function toOptions({ operationId, tags, servers, parameters = [] }: OperationObject): OperationObject {
  const inPath = parameters.filter(isInPath)
  return {
    operationId: `${operationId}-options`,
    tags,
    summary: 'Methods of this address',
    ...(servers && { servers }),
    security: [],
    ...(inPath.length > 0 && { parameters: inPath }),
    responses: { 204: { $ref: '#/components/responses/Methods' } },
  }
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** What both programs answer at one address, as one operation: either may give what only one of them gives. */
export function merge(one: OperationObject, other: OperationObject): OperationObject {
  const responses = { ...other.responses, ...one.responses }
  for (const [status, response] of Object.entries(one.responses)) {
    const also = other.responses[status]
    if (also && !isEqual(response, also)) responses[status] = mergeResponses(response, also)
  }
  const parameters = one.parameters ?? other.parameters
  return { ...other, ...one, ...(parameters && { parameters }), responses }
}

function mergeResponses(one: ResponseObject, other: ResponseObject): ResponseObject {
  const content = { ...other.content, ...one.content }
  for (const [type, { schema }] of Object.entries(one.content ?? {})) {
    const also = other.content?.[type]?.schema
    if (also && !isEqual(schema, also)) content[type] = { schema: { anyOf: [schema, also] } }
  }
  const { description = '' } = one
  const isSame = isEqual(description, other.description)
  return {
    ...one,
    description: isSame ? description : `${description}. On the game host: ${other.description}`,
    content,
  }
}
