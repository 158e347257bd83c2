import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Among the private texts of a build: where the former addresses of its texts lead. */
export const redirectsFile = 'redirects.json'

export const redirectsSchema = z.record(z.string(), z.string())

/** Where each former address leads, in a build. */
export function readRedirects(privateTexts: string): ReadonlyMap<string, string> {
  const file = join(privateTexts, redirectsFile)
  return new Map(existsSync(file) ? Object.entries(redirectsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))) : [])
}
