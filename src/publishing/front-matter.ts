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

/** Where a field is, as it follows the file's name: its line, or the first for a field that is missing. */
function placeOf(field: string, source: string): string {
  if (source === '') return ''
  const [, matter = ''] = source.split(/^---[ \t]*$/m)
  const line = matter.split('\n').findIndex((text) => text.startsWith(`${field}:`))
  return `:${Math.max(1, line + 1)}`
}

/**
 * Reads front matter.
 *
 * @param source of the whole file, so that lines can be named
 * @throws Error with one sentence per wrong field, each naming file and field
 */
export function readFrontMatter<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
  file: string,
  source = '',
): z.output<Schema> {
  const read = schema.safeParse(data, { error: inPlainWords })
  if (read.success) return read.data
  const sentences = read.error.issues.map(
    ({ path, message }) =>
      `${file}${placeOf(String(path[0] ?? ''), source)}: ${path.join('.') || 'front matter'} ${message}`,
  )
  throw new Error(sentences.join('\n'))
}
