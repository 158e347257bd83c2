import { relative } from 'node:path'
import { glob, type Loader } from 'astro/loaders'
import type { z } from 'zod'
import { readFrontMatter } from './front-matter.ts'

interface ContentFolder<Schema extends z.ZodType> {
  base: `./${string}`
  pattern: string
  schema: Schema
  /** What the schema cannot see, because it concerns the file's place; the sentence goes on after the file's name. */
  check?: (data: z.output<Schema>, id: string, file: string) => string | undefined
  /** The entry's name; the file's name without its ending when absent. */
  toId?: (entry: string) => string
}

/**
 * Reads the front matter of one file.
 *
 * @throws Error that names the file and, where it is one, the field
 */
export function readEntry<Schema extends z.ZodType>(
  { schema, check }: Pick<ContentFolder<Schema>, 'schema' | 'check'>,
  { id, data, file }: { id: string; data: unknown; file: string },
): z.output<Schema> {
  const entry = readFrontMatter(schema, data, file)
  const objection = check?.(entry, id, file)
  if (objection) throw new Error(`${file}: ${objection}`)
  return entry
}

/** Astro's glob loader, with errors that name file and field in a sentence. Bodies are read from disk when needed. */
export function contentFolder<Schema extends z.ZodType>(folder: ContentFolder<Schema>): Loader {
  const { base, pattern, toId } = folder
  const files = glob({
    base,
    pattern,
    retainBody: false,
    ...(toId && { generateId: ({ entry }) => toId(entry) }),
  })
  return {
    name: 'content-folder',
    load: (context) =>
      files.load({
        ...context,
        parseData(entry) {
          const file = entry.filePath ? relative(process.cwd(), entry.filePath) : entry.id
          readEntry(folder, { id: entry.id, data: entry.data, file })
          return context.parseData(entry)
        },
      }),
  }
}
