import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** File among the private texts of a build: the redirects from former addresses of its texts. */
export const redirectsFile = 'redirects.json'

/** File beside it: the redirects to scheduled posts, which take effect when these are published. */
export const comingRedirectsFile = 'coming-redirects.json'

const redirectsSchema = z.record(z.string(), z.string())

const slugIn = (path: string): string | undefined => /^\/posts\/([^/]+)$/.exec(decodeURI(path))?.[1]

/** The former slugs of each post, by its current slug. */
export function findFormerSlugs(redirects: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const formers = new Map<string, string[]>()
  for (const [alias, path] of redirects) {
    const [former, slug] = [slugIn(alias), slugIn(path)]
    if (former !== undefined && slug !== undefined) formers.set(slug, [...(formers.get(slug) ?? []), former])
  }
  return formers
}

/** The redirects of a build, from former path to current path; empty when the file does not exist. */
export function readRedirects(privateTexts: string, name = redirectsFile): ReadonlyMap<string, string> {
  const file = join(privateTexts, name)
  return new Map(existsSync(file) ? Object.entries(redirectsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))) : [])
}
