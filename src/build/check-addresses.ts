import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { StaticManifest } from '../http/static/static-manifest.ts'
import { buildFiles } from '../storage/build-folder.ts'
import { readComingLists } from '../storage/coming-lists-file.ts'
import { comingRedirectsFile, readRedirects } from '../storage/redirects-file.ts'
import { findDeadLinks, isLive, type Site } from './dead-links.ts'

const catalogSchema = z.object({
  ...Object.fromEntries(
    (['skills', 'hostedApis', 'content'] as const).map((lane) => [lane, z.array(z.object({ buyUrl: z.string() }))]),
  ),
})

/** The page that the menu of every page and the feeds link to. The publisher writes its text. */
const about = '/about'
const noAbout = `content/pages/about.mdx is missing: the menu of every page leads to ${about}; write it, or name ${about} among the aliases of the page that it is`

interface Options extends Pick<Site, 'digests'> {
  /** The repository. */
  readonly root: string
  /** The build's folder. */
  readonly outDir: string
  readonly baseUrl: string
  /** Every file that will be served, but perhaps for those below `late`. */
  readonly files: StaticManifest
  /** An address that ends with a slash: there are files below it that may not be among `files` yet. */
  readonly late: string
}

/**
 * Compares the links and aliases in the content of a finished build with the addresses that exist.
 *
 * @returns one line per fault: a link (file and line) to an address or an anchor that does not exist, an alias that is
 * also the address of a page or of an endpoint, or a missing /about page
 */
export async function findAddressFaults({ root, outDir, baseUrl, files, late, digests }: Options): Promise<string[]> {
  const { client, privateTexts } = buildFiles(outDir)
  const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
  const redirects = readRedirects(privateTexts)
  // Aliases of posts that are not due yet are checked already now, so that the later build does not fail on them.
  const coming = readRedirects(privateTexts, comingRedirectsFile)
  const claims = [...redirects, ...coming]
  const sold = Object.values(catalogSchema.parse(read(join(client, 'api/catalog.json')))).flat()
  const own = new Set([...Object.keys(files), ...sold.map(({ buyUrl }) => new URL(buyUrl).pathname)])
  const addresses = new Set([...own, ...redirects.keys()])
  const taken = claims.flatMap(([alias, path]) => {
    const has =
      alias in files || alias.startsWith(late)
        ? 'a page'
        : own.has(alias) || isLive(alias, own)
          ? 'an answer of its own'
          : undefined
    return has ? [`${decodeURI(alias)} is an alias of ${decodeURI(path)} and has ${has}; remove the alias`] : []
  })
  const missing = addresses.has(about) ? [] : [noAbout]
  const broughtBy = readComingLists(privateTexts)
  for (const [alias, path] of coming) broughtBy.set(path, [...(broughtBy.get(path) ?? []), alias])
  const dead = await findDeadLinks(root, {
    addresses,
    baseUrl,
    placesOf: openPlaces(client, files),
    broughtBy,
    digests,
  })
  return [...missing, ...taken, ...dead]
}

/** Reads the element ids (anchors) of pages of the build, once per page and only when a link needs them. */
function openPlaces(client: string, files: StaticManifest): (path: string) => ReadonlySet<string> | undefined {
  const known = new Map<string, ReadonlySet<string>>()
  return (path) => {
    const entry = files[path]
    if (!entry?.type.startsWith('text/html')) return undefined
    const html = known.has(path) ? '' : readFileSync(join(client, entry.file), 'utf8')
    const places = known.get(path) ?? new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id))
    known.set(path, places)
    return places
  }
}
