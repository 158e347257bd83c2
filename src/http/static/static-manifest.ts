import { readFileSync } from 'node:fs'
import { z } from 'zod'

const entrySchema = z.object({
  /** The path below the client folder, with `/`. Compressed forms are beside it as `.br` and `.gz`. */
  file: z.string(),
  size: z.int(),
  type: z.string(),
  /** A strong ETag from the content: the same bytes have the same tag in every build. */
  etag: z.string(),
  cache: z.string(),
  /** Sizes of the compressed forms that exist. */
  br: z.int().optional(),
  gz: z.int().optional(),
  /** For a page: the URL of its markdown alternate. */
  alternate: z.string().optional(),
  /** For a page that shows narrations: the file with its placeholders, below the build's `narrated` folder. */
  placeholders: z.string().optional(),
  /** Additional response headers of the route, in lower case. */
  headers: z.record(z.string(), z.string()).optional(),
})

const manifestSchema = z.record(z.string(), entrySchema)

/** What the front knows about a file before the first request for it. */
export type StaticEntry = z.output<typeof entrySchema>

/** All static URLs of a build, by canonical path. Nothing else is served. */
export type StaticManifest = Readonly<Record<string, StaticEntry>>

/** Reads the manifest of the build. A damaged build is thus an error at start, never at a request. */
export const readStaticManifest = (file: string): StaticManifest =>
  manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
