import { z } from 'zod'

/** An instant as YAML gives it (a date, or text in quotes), without a time of day it is midnight UTC. */
export const instant = z
  .union([z.date(), z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be a date like 2026-11-20 or 2026-11-20T09:00:00Z',
  })
  .transform((value) => new Date(value))

/** Text that is not blank. */
export const line = (max?: number) => {
  const text = z.string().trim().min(1, 'must not be empty')
  return max === undefined ? text : text.max(max, `must be at most ${max} characters long`)
}

/** What Zod says by default is written for programmers; authors get a sentence that goes on after the field's name. */
const inPlainWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys') return `has fields that mean nothing here: ${issue.keys.join(', ')}`
  if (issue.code !== 'invalid_type') return undefined
  if (issue.input === undefined) return 'is missing'
  return issue.expected === 'string' ? 'must be text; put it in quotes' : `must be of type ${issue.expected}`
}

/**
 * Reads front matter.
 *
 * @throws Error with one sentence per wrong field, each naming file and field
 */
export function readFrontMatter<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
  file: string,
): z.output<Schema> {
  const read = schema.safeParse(data, { error: inPlainWords })
  if (read.success) return read.data
  const sentences = read.error.issues.map(
    ({ path, message }) => `${file}: ${path.join('.') || 'front matter'} ${message}`,
  )
  throw new Error(sentences.join('\n'))
}
