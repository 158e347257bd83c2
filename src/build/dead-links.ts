import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { toDigest, toPlainId } from '../content/content-folder.ts'
import { withOwnAddress } from '../content/own-address.ts'
import { findUnpublishedPosts, listPosts } from '../content/waiting-posts.ts'
import { attributesOf, type Node, nodesOf, parseWriting } from '../content/writing-tree.ts'
import { toOneSpelling } from '../http/canonical-path.ts'
import { answerers, toPattern } from '../routes/route.ts'
import { siteRoutes } from '../routes/routes.ts'
import { keptTexts } from './kept-texts.ts'

export interface Site {
  /** The addresses of all files of the build, of all redirects and of everything for sale. */
  readonly addresses: ReadonlySet<string>
  readonly baseUrl: string
  /** The element ids of the built page at an address; undefined where the build wrote no page. */
  readonly placesOf: (path: string) => ReadonlySet<string> | undefined
  /** The addresses beside its own that a post which is not due yet will bring, by the path of the post. */
  readonly broughtBy: ReadonlyMap<string, readonly string[]>
  /** The digests of texts that this build has read already, by file; those need not be read again. */
  readonly digests?: ReadonlyMap<string, string> | undefined
}

const folders = { 'content/posts': '/posts/', 'content/pages': '/' } as const
type Folder = keyof typeof folders

const live = Object.entries(siteRoutes).flatMap(([path, { by }]) =>
  answerers[by].isBuilt ? [] : [toPattern({ path: path as `/${string}` })],
)

/** Whether the running site answers at a path. A path below a post or a skill counts only if that exists. */
export function isLive(path: string, addresses: Site['addresses']): boolean {
  // Slugs may contain dots, so every dot and slash is tried as the end of the slug.
  const owners = /^\/(?:posts|skills)\/[^/]/.test(path) ? [...path.matchAll(/(?<=^\/\w+\/.+)[./]/g)] : undefined
  const isOwned = owners?.some(({ index }) => addresses.has(path.slice(0, index))) ?? true
  return isOwned && live.some((pattern) => pattern.test(path))
}

/** The target of a link, or of the definition of one (`[name]: target`), as it is written. */
function targetOf(node: Node): string | undefined {
  if (node.type === 'link' || node.type === 'definition') return node.url
  const href = node.name === 'a' ? attributesOf(node).find(({ name }) => name === 'href')?.value : undefined
  return typeof href === 'string' ? href : undefined
}

/** The element id that a URL names. `#top` and text fragments (`#:~:text=`) need no element, so they give undefined. */
function placeOf({ hash }: URL): string | undefined {
  const [name = ''] = hash.slice(1).split(':~:')
  return name === '' || name.toLowerCase() === 'top' ? undefined : decoded(name, decodeURIComponent)
}

/** The decoded text; unchanged where a % does not begin a valid escape. */
function decoded(text: string, decode: (text: string) => string): string {
  try {
    return decode(text)
  } catch {
    return text
  }
}

/** The link targets of one text as they are written, each with its line number. */
const keptLinks = keptTexts.openKind({ name: 'links', schema: z.array(z.tuple([z.string(), z.number()])) })

async function readLinks(
  root: string,
  file: string,
  { baseUrl, digests }: Pick<Site, 'baseUrl' | 'digests'>,
): Promise<(readonly [string, number])[]> {
  let source: Promise<string> | undefined
  const read = () => (source ??= readFile(join(root, file), 'utf8'))
  const digest = digests?.get(file) ?? toDigest(await read())
  return keptLinks({ filePath: file, digest }, async () => {
    const tree = parseWriting(withOwnAddress(await read(), file, baseUrl))
    if ('sentence' in tree) return []
    // The definition of a picture (`![cat][name]`) names a file beside the text, so it is not a link.
    const pictured = new Set(
      nodesOf(tree).flatMap(({ type, identifier }) => (type === 'imageReference' ? identifier : [])),
    )
    return nodesOf(tree).flatMap((node) => {
      const target = targetOf(node)
      const isLink = target !== undefined && !(node.type === 'definition' && pictured.has(node.identifier))
      return isLink ? [[target, node.position?.start.line ?? 1]] : []
    })
  })
}

/**
 * The links in posts and pages to addresses of this site where there is no page, or not the named place in it, as
 * sentences with file and line. A link to a post that is not due yet is accepted only from posts that are published
 * with it or after it. Drafts are not checked.
 *
 * @param root the repository
 */
export async function findDeadLinks(root: string, site: Site): Promise<string[]> {
  const toAddress = (folder: Folder, name: string): string => encodeURI(folders[folder] + toPlainId(name))
  const find = async (folder: Folder, name: string, addresses: Site['addresses']): Promise<string[]> => {
    const file = `${folder}/${name}`
    const toFault = toFaultOf(toAddress(folder, name), { ...site, addresses })
    return (await readLinks(root, file, site)).flatMap(([target, line]) => {
      const fault = toFault(target)
      return fault === undefined ? [] : [`${file}:${line}: ${fault}; correct the link`]
    })
  }
  const found: string[] = []
  for (const folder of ['content/posts', 'content/pages'] as const)
    for (const name of existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [])
      if (name.endsWith('.mdx') && site.addresses.has(toAddress(folder, name)))
        found.push(...(await find(folder, name, site.addresses)))
  const absent = listPosts(root).filter((file) => !site.addresses.has(toAddress('content/posts', file)))
  // From the epoch on every date is to come: only whether a post is in this build counts.
  const coming = findUnpublishedPosts(root, new Date(0), absent)
    .filter(({ isDraft }) => !isDraft)
    .map(({ file, publishedAt }) => ({ file, own: toAddress('content/posts', file), time: publishedAt.getTime() }))
  const known = new Set(site.addresses)
  for (const together of Map.groupBy(coming, ({ time }) => time).values()) {
    for (const { own } of together) for (const path of [own, ...(site.broughtBy.get(own) ?? [])]) known.add(path)
    for (const { file } of together) found.push(...(await find('content/posts', file, known)))
  }
  return found
}

/** Makes a function that says why a link target, in the text at the address `own`, is dead; undefined if it is not. */
const toFaultOf =
  (own: string, { addresses, baseUrl, placesOf }: Site) =>
  (target: string): string | undefined => {
    const url = URL.parse(target, baseUrl + own)
    if (url?.origin !== new URL(baseUrl).origin) return undefined
    const written = url.pathname.replace(/(?<=.)\/$/, '')
    // The site redirects other spellings of an address to the page.
    const spelled = toOneSpelling(written)
    const path = spelled !== undefined && addresses.has(spelled) ? spelled : written
    if (!addresses.has(path) && !isLive(path, addresses)) return `there is nothing at ${decoded(path, decodeURI)}`
    const place = placeOf(url)
    if (place === undefined || placesOf(path)?.has(place) !== false) return undefined
    return `there is no place #${place} in ${decoded(path, decodeURI)}`
  }
