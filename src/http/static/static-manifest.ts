import { readFileSync } from 'node:fs'
import { z } from 'zod'

const entrySchema = z.object({
  /** Below the client folder, with `/`. Compressed forms lie beside it as `.br` and `.gz`. */
  file: z.string(),
  size: z.int(),
  type: z.string(),
  /** Strong, from the content: the same bytes keep their tag across builds. */
  etag: z.string(),
  cache: z.string(),
  /** Sizes of the compressed forms that exist. */
  br: z.int().optional(),
  gz: z.int().optional(),
  /** For a page: the URL of its markdown alternate. */
  alternate: z.string().optional(),
  /** For a page that shows narrations: the file with its placeholders, below the build's `narrated` folder. */
  placeholders: z.string().optional(),
  /** What else the route asked to be sent, in lower case. */
  headers: z.record(z.string(), z.string()).optional(),
})

const manifestSchema = z.record(z.string(), entrySchema)

/** What the front server knows about one file before the first request for it. */
export type StaticEntry = z.output<typeof entrySchema>

/** Every static URL of a build, by canonical path. What is not in it is not served. */
export type StaticManifest = Readonly<Record<string, StaticEntry>>

/** Reads what the build wrote; a damaged build is an error at start, never at a request. */
export const readStaticManifest = (file: string): StaticManifest =>
  manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
