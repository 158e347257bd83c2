import { z } from 'zod'

/**
 * The schemas of the documents that the site publishes or reads: for each its name in the OpenAPI document, and an
 * example unless the document itself is public to read.
 *
 * @example export const livenessSchema = z.object({ ok: z.literal(true) }).register(documents, { name: 'Liveness' })
 */
export const documents = z.registry<{ name: string; example?: z.$output }>()

/** A JSON Schema (2020-12) as it is published. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * The JSON Schema of a Zod schema; `io` says whether of the value before or after decoding. Additional properties are
 * allowed unless the schema is strict. The bounds that Zod gives every integer (the safe integers of a double) are left
 * out, because they say nothing about the product.
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'input'): JsonSchema {
  const { $schema: _, ...published } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
  return published
}
