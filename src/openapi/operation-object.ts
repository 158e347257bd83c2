/** An OpenAPI response: a reference to a component, or inline. */
export interface ResponseObject {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: object
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

/** The fields of an OpenAPI operation that are used here. */
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

/** Whether a parameter is in the path; a reference is not. */
export const isInPath = (parameter: object): boolean => 'in' in parameter && parameter.in === 'path'

/** The OPTIONS operation of an address, derived from one of its other operations. */
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
