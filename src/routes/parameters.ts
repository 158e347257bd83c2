import type { z } from 'zod'
import { toJsonSchema } from '../core/json-schema.ts'
import type { ProblemKind } from '../core/problem-kinds.ts'
import type { Operation } from './route.ts'

/** An OpenAPI parameter in the query string. */
export const inQuery = (name: string, description: string, schema: object = { type: 'string' }, more: object = {}) => ({
  name,
  in: 'query',
  description,
  schema,
  ...more,
})

/** The query parameters of an operation, derived from the schema that validates them; invalid values are refused. */
export const asking = ({ shape }: z.ZodObject) =>
  ({
    parameters: Object.entries(shape).map(([name, field]) => {
      const { description = '', example, ...schema } = toJsonSchema(field, 'output')
      return inQuery(name, description, schema, {
        ...(!field.safeParse(undefined).success && { required: true }),
        ...(example !== undefined && { example }),
        ...(schema.type === 'array' && { style: 'form', explode: false }),
      })
    }),
    problems: ['invalid-input'],
  }) satisfies Partial<Operation>

/** The `Range` header, for a single range of bytes. */
export const rangeParameter = {
  name: 'Range',
  in: 'header',
  description: 'One range of bytes (RFC 9110)',
  schema: { type: 'string' },
}

/** The header with which an owner signs in without a cookie and without signing a payment. */
export const signInParameter = {
  name: 'SIGN-IN-WITH-X',
  in: 'header',
  required: false,
  description:
    'A message that the wallet signed, as base64 over JSON (the extension sign-in-with-x of x402 version 2): who owns what is asked for gets it uncharged',
  schema: { type: 'string', contentEncoding: 'base64' },
}

/** The problems of every operation with a JSON body. */
export const bodyProblems: readonly ProblemKind[] = ['invalid-input', 'body-too-large', 'unsupported-media-type']
