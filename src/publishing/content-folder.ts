import { relative } from 'node:path'
import type { Loader } from 'astro/loaders'
import { glob } from 'astro/loaders'
import type { z } from 'zod'
import { readFrontMatter } from './front-matter.ts'

interface ContentFolder<Schema extends z.ZodType> {
  base: `./${string}`
  pattern: string
  schema: Schema
  /** What the schema cannot see, because it concerns the file's place; the sentence goes on after the file's name. */
  check?: (data: z.output<Schema>, id: string) => string | undefined
  /** The entry's name; the file's name without its ending when absent. */
  toId?: (entry: string) => string
}

/** Astro's glob loader, with errors that name file and field in a sentence. Bodies are read from disk when needed. */
export function contentFolder<Schema extends z.ZodType>(folder: ContentFolder<Schema>): Loader {
  const { base, pattern, schema, check, toId } = folder
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
          const objection = check?.(readFrontMatter(schema, entry.data, file), entry.id)
          if (objection) throw new Error(`${file}: ${objection}`)
          return context.parseData(entry)
        },
      }),
  }
}
