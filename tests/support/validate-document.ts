import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const ajv = new Ajv2020({ allErrors: true, strict: false })
addFormats.default(ajv)

/** The errors of a document under a JSON Schema, one per line; empty if it is valid. */
export function findSchemaErrors(schema: object, document: unknown): string[] {
  const validate = ajv.compile(schema)
  if (validate(document)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
