import { z } from 'zod'
import { validate } from '../core/validate.ts'
import { WritingError } from './writing-error.ts'

/** An instant, given in YAML as a date or as quoted text. Without a time of day it is midnight UTC. */
export const instant = z
  .union([z.date(), z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be a date like 2026-11-20 or 2026-11-20T09:00:00Z',
  })
  .transform((value) => new Date(value))

/** Trimmed text that is not empty, of at most `max` characters. */
export const line = (max?: number) => {
  const text = z.string().trim().min(1, 'must not be empty')
  return max === undefined ? text : text.max(max, `must be at most ${max} characters long`)
}

/** The line of a field as `:12`, to be appended to a file's name; `:1` for a field that is missing. */
export function placeOf(field: string, source: string): string {
  if (source === '') return ''
  const [, matter = ''] = source.replace(/^\ufeff/, '').split(/^---[ \t]*$/m)
  const line = matter.split('\n').findIndex((text) => text.startsWith(`${field}:`))
  return `:${Math.max(1, line + 1)}`
}

/**
 * Reads front matter.
 *
 * @param source the whole file, so that errors can name lines
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
