import type { z } from 'zod'
import { documents, toJsonSchema } from '../core/json-schema.ts'
import { type Answer, isSchema } from '../routes/route.ts'

/** A reference to the component of a named schema; a schema without a name is inlined. */
export function toSchema(schema: object): object {
  if (!isSchema(schema)) return schema
  const about = documents.get(schema)
  return about ? { $ref: `#/components/schemas/${about.name}` } : toJsonSchema(schema)
}

/** The schema of a body of which only the media type is known. */
export function typedSchema(type: string): object {
  if (type.includes('json') && !type.endsWith('jsonl')) return { type: 'object' }
  return /^text\/|xml$|jsonl$/.test(type) ? { type: 'string' } : { type: 'string', contentMediaType: type }
}

/** The schemas of an answer by media type. */
function byType(answer: Answer): Readonly<Record<string, z.ZodType | object>> {
  if (typeof answer === 'string') return { [answer]: typedSchema(answer) }
  return isSchema(answer) ? { 'application/json': answer } : answer
}

/** The `content` of an answer: its schema by media type. */
export const toContent = (answer: Answer): Record<string, { schema: object }> =>
  Object.fromEntries(Object.entries(byType(answer)).map(([type, schema]) => [type, { schema: toSchema(schema) }]))

/** The schemas that an answer refers to. */
export const schemasOf = (answer: Answer): readonly z.ZodType[] => Object.values(byType(answer)).filter(isSchema)
