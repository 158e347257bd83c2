import { z } from 'zod'

/** The public data of a downloadable skill, without the text that is sold. Written by the build, read at start. */
export const skillSchema = z.object({
  slug: z.string(),
  title: z.string(),
  /** One or two sentences for shop windows. */
  excerpt: z.string(),
  /** The skill's own `description`: what it does and when to use it, written for agents. */
  description: z.string(),
  version: z.string(),
  /** What is new in this version, in a sentence. */
  changes: z.string().optional(),
  license: z.string().optional(),
  /** RFC 3339, UTC. */
  publishedAt: z.string(),
  /** Size of the delivered file, in bytes. */
  bytes: z.number(),
  /** SHA-256 of the delivered file, in hexadecimal. */
  sha256: z.string(),
  /** The titles of the file's sections, in order. */
  headings: z.array(z.string()),
  /** The opening of the file, word for word, up to its second section. */
  preview: z.string(),
})

/** See skillSchema. */
export type Skill = z.output<typeof skillSchema>
