/** JSON by the name of its schema. */
export const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } })

/** JSON of which only the names of its members are said. */
export const object = (...required: readonly string[]) => ({
  'application/json': { schema: { type: 'object', required } },
})

/** A string, as a schema. */
export const string = { type: 'string' }

export const text = { 'text/plain': { schema: string } }
export const audio = { 'audio/mpeg': { schema: { type: 'string', contentMediaType: 'audio/mpeg' } } }
export const markdown = { 'text/markdown': { schema: string } }

/** The one parameter of a path. */
export const inPath = (name: string, description: string) => [
  { name, in: 'path', required: true, description, schema: string },
]
