import { z } from 'zod'
import { line } from './front-matter.ts'

const name = z
  .string()
  .max(64, 'must be at most 64 characters long')
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by single hyphens')

/**
 * Front matter of `content/skills/<name>/SKILL.md`, in the Agent Skills format. That format fixes all keys except those
 * in `metadata`, which maps strings to strings, so the fields that the shop needs are there.
 */
export const skillFrontMatterSchema = z.strictObject({
  name,
  /** What it does and when to use it, for the agent that decides whether to load it. */
  description: line(1024),
  license: line().optional(),
  compatibility: line(500).optional(),
  'allowed-tools': line().optional(),
  metadata: z
    .object({
      title: line(),
      excerpt: line(220),
      version: line(32),
      /** What is new in this version: owners of an earlier one are told. */
      changes: line(300).optional(),
      publishedAt: z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
        error: 'must be a date in quotes, like "2026-11-20"',
      }),
    })
    .catchall(z.string()),
})

/** See skillFrontMatterSchema. */
export type SkillFrontMatter = z.output<typeof skillFrontMatterSchema>
