import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Among the private texts of a build: where the former addresses of its texts lead. */
export const redirectsFile = 'redirects.json'

/** Beside it: where those of posts will lead that wait for their time. They lead nowhere yet. */
export const comingRedirectsFile = 'coming-redirects.json'

const redirectsSchema = z.record(z.string(), z.string())

const slugIn = (path: string): string | undefined => /^\/posts\/([^/]+)$/.exec(decodeURI(path))?.[1]

/** The slugs that each post had before, by the one of now. */
export function findFormerSlugs(redirects: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const formers = new Map<string, string[]>()
  for (const [alias, path] of redirects) {
    const [former, slug] = [slugIn(alias), slugIn(path)]
    if (former !== undefined && slug !== undefined) formers.set(slug, [...(formers.get(slug) ?? []), former])
  }
  return formers
}

/** Where each former address leads, in a build. */
export function readRedirects(privateTexts: string, name = redirectsFile): ReadonlyMap<string, string> {
  const file = join(privateTexts, name)
  return new Map(existsSync(file) ? Object.entries(redirectsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))) : [])
}
