import { z } from 'zod'
import { validate } from '../core/validate.ts'
import { WritingError } from './writing-error.ts'

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

/** Where a field is, as it follows the file's name: its line, or the first for a field that is missing. */
export function placeOf(field: string, source: string): string {
  if (source === '') return ''
  const [, matter = ''] = source.replace(/^\ufeff/, '').split(/^---[ \t]*$/m)
  const line = matter.split('\n').findIndex((text) => text.startsWith(`${field}:`))
  return `:${Math.max(1, line + 1)}`
}

/**
 * Reads front matter.
 *
 * @param source of the whole file, so that lines can be named
 * @throws WritingError with one sentence per wrong field, each naming file and field
 */
export function readFrontMatter<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
  file: string,
  source = '',
): z.output<Schema> {
  const read = validate(schema, data)
  if (read.is === 'valid') return read.value
  const sentences = read.faults.map(
    ({ path, detail }) =>
      `${file}${placeOf(String(path[0] ?? ''), source)}: ${path.join('.') || 'front matter'} ${detail}`,
  )
  throw new WritingError(sentences)
}
