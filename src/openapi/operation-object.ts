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
  readonly 'x-payment-info'?: object
  readonly security: readonly object[]
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, ResponseObject>>
}

/** Whether a parameter stands in the path; one that is a reference does not. */
export const isInPath = (parameter: object): boolean => 'in' in parameter && parameter.in === 'path'

/** How an address is asked what it answers: beside the operation that it has for everybody. */
export function toOptions({ operationId, tags, parameters = [] }: OperationObject): OperationObject {
  const inPath = parameters.filter(isInPath)
  return {
    operationId: `${operationId}-options`,
    tags,
    summary: 'Methods of this address',
    security: [],
    ...(inPath.length > 0 && { parameters: inPath }),
    responses: { 204: { $ref: '#/components/responses/Methods' } },
  }
}
