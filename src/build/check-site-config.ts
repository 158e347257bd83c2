import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { isTimeZone } from '../core/time-zone.ts'
import { validate } from '../core/validate.ts'
import { BuildError } from './build-error.ts'

const text = z.string()
const words = z.string().trim().min(1)

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** A CSS colour, inserted into a rule unescaped: hexadecimal, a name, or a function that may hold one nested level. */
const colour = z
  .string()
  .regex(
    /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]+|[a-z-]+\((?:[\w\s.,%/#*+-]|\([\w\s.,%/#*+-]*\))*\))$/i,
    'must be a colour of CSS like #9a4f1c',
  )

/**
 * What pages, feeds and programs read from `site.config.ts`. Other keys are ignored, so a mistyped key is reported as
 * a missing one.
 */
const siteConfigSchema = z.object({
  name: words,
  tagline: text,
  description: words,
  author: words,
  authors: z.array(z.object({ name: words, about: text, link: text.optional(), picture: text.optional() })),
  language: text.refine(isLanguage, 'must be a language tag like en or pt-BR'),
  timeZone: text.refine(isTimeZone, 'must be a time zone like Asia/Tokyo or Europe/Berlin').optional(),
  contact: text,
  license: z.object({ spdx: text, sentence: text }),
  crawlers: z.object({ allowSearch: z.boolean(), blockTraining: z.boolean() }),
  podcast: z.object({ category: z.object({ name: words }), explicit: z.boolean(), funding: text, guid: text }),
  hubs: z.array(text),
  webmentions: z.object({ receives: z.boolean(), trustedHosts: z.array(text) }),
  newsletter: z.object({ isOffered: z.boolean(), provider: z.object({ action: text, field: text }) }),
  picturesPerBuild: z.union([z.number().min(0), z.literal(Number.POSITIVE_INFINITY)], 'must be a number from 0 on'),
  accent: z.object({ light: colour, dark: colour }),
})

/** The faults in a publisher's settings, as sentences that name the setting. */
export function findConfigFaults(given: unknown): string[] {
  const read = validate(siteConfigSchema, given, { isOnce: true })
  if (read.is === 'valid') return []
  return read.faults.map(
    ({ path, detail }) => `site.config.ts: ${path.map(String).join('.') || 'its default export'} ${detail}`,
  )
}

/**
 * Checks `site.config.ts` before the build starts. Otherwise, when a publisher merges a newer version that needs more
 * settings, the build would end with the stack trace of the module that reads a missing setting first.
 *
 * @throws BuildError with a sentence for each fault
 */
export async function checkSiteConfig(root: string): Promise<void> {
  // Bypasses the module cache: a long-running program that builds again has imported an older version.
  const file = `${pathToFileURL(join(root, 'site.config.ts')).href}?at=${Date.now()}`
  const { default: given }: { default: unknown } = await import(file)
  const faults = findConfigFaults(given)
  if (faults.length > 0) throw new BuildError(faults.join('\n'))
}
