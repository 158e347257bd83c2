import { z } from 'zod'

/**
 * The documents that programs read or send: the name of the schema in the machine description, and one example. Those
 * that are there to be read themselves have none.
 *
 * @example export const livenessSchema = z.object({ ok: z.literal(true) }).register(documents, { name: 'Liveness' })
 */
export const documents = z.registry<{ name: string; example?: z.$output }>()

/** A JSON Schema (2020-12) as it is published. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * The JSON Schema of what may be sent or read (`io`: before or after it is decoded): additions are allowed unless the schema is strict, and the bounds that
 * Zod gives every integer (what a double holds exactly) are left out because they say nothing about the product.
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
