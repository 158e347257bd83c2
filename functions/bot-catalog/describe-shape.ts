import { z } from 'zod'
import { toJsonSchema } from '../../src/core/json-schema.ts'

interface Shape {
  readonly type?: unknown
  readonly description?: string | undefined
  readonly enum?: readonly unknown[] | undefined
  readonly anyOf?: readonly Shape[] | undefined
  readonly items?: Shape | undefined
  readonly properties?: Readonly<Record<string, Shape>> | undefined
}

const shapeSchema: z.ZodType<Shape> = z.lazy(() =>
  z.object({
    type: z.unknown().optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(shapeSchema).optional(),
    items: shapeSchema.optional(),
    properties: z.record(z.string(), shapeSchema).optional(),
  }),
)

const typeOf = ({ type, anyOf, enum: values }: Shape): string =>
  values ? values.join(' | ') : anyOf ? [...new Set(anyOf.map(typeOf))].join(' or ') : String(type)

function toLines(name: string, shape: Shape): string[] {
  const { description } = shape
  const own = `${name}: ${typeOf(shape)}${description === undefined ? '' : `. ${description}`}`
  const inner = shape.items ?? shape.anyOf?.find(({ properties }) => properties) ?? shape
  const prefix = shape.items ? `${name}[]` : name
  return [own, ...Object.entries(inner.properties ?? {}).flatMap(([key, value]) => toLines(`${prefix}.${key}`, value))]
}

/** One line for each field of a document: its path, its type and its description in the schema. */
export function describeShape(schema: z.ZodType): string[] {
  const { properties = {} } = shapeSchema.parse(toJsonSchema(schema))
  return Object.entries(properties).flatMap(([key, value]) => toLines(key, value))
}
