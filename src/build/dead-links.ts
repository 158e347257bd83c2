import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toPlainId } from '../content/content-folder.ts'
import { withOwnAddress } from '../content/own-address.ts'
import { findWaitingPosts } from '../content/waiting-posts.ts'
import { attributesOf, type Node, nodesOf, parseWriting } from '../content/writing-tree.ts'
import { answerers, toPattern } from '../routes/route.ts'
import { siteRoutes } from '../routes/routes.ts'

interface Site {
  /** Every address that a file of the build or a redirect has, and of everything for sale. */
  readonly addresses: ReadonlySet<string>
  readonly baseUrl: string
}

const folders = { 'content/posts': '/posts/', 'content/pages': '/' } as const
type Folder = keyof typeof folders

const live = Object.entries(siteRoutes).flatMap(([path, { by }]) =>
  answerers[by].isBuilt ? [] : [toPattern({ path: path as `/${string}` })],
)

/** Whether the running site answers there: what belongs to a post or a skill does only where that is. */
function isLive(path: string, addresses: Site['addresses']): boolean {
  const [, owner] = /^(\/(?:posts|skills)\/[^/.]+)[./]/.exec(path) ?? []
  return (owner === undefined || addresses.has(owner)) && live.some((pattern) => pattern.test(path))
}

/** Where a link of a text leads, or the definition of one. */
function targetOf(node: Node): string | undefined {
  if (node.type === 'link' || node.type === 'definition') return node.url
  const href = node.name === 'a' ? attributesOf(node).find(({ name }) => name === 'href')?.value : undefined
  return typeof href === 'string' ? href : undefined
}

/**
 * The links in posts and pages that lead to nothing on this site, as sentences with file and line. A post that waits is
 * there for those alone that come out with it or later; drafts are left to their authors.
 *
 * @param root the repository
 */
export function findDeadLinks(root: string, site: Site): string[] {
  const toAddress = (folder: Folder, name: string): string => encodeURI(folders[folder] + toPlainId(name))
  const find = (folder: Folder, name: string, addresses: Site['addresses']): string[] =>
    findInFile(root, `${folder}/${name}`, toAddress(folder, name), { ...site, addresses })
  const published = (['content/posts', 'content/pages'] as const).flatMap((folder) =>
    (existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [])
      .filter((name) => name.endsWith('.mdx') && site.addresses.has(toAddress(folder, name)))
      .flatMap((name) => find(folder, name, site.addresses)),
  )
  // What this build has is published, whenever that was.
  const known = new Set(site.addresses)
  const waiting = findWaitingPosts(root, new Date(0)).flatMap(({ file }) => {
    const own = toAddress('content/posts', file)
    if (known.has(own)) return []
    known.add(own)
    return find('content/posts', file, known)
  })
  return [...published, ...waiting]
}

function findInFile(root: string, file: string, own: string, { addresses, baseUrl }: Site): string[] {
  const tree = parseWriting(withOwnAddress(readFileSync(join(root, file), 'utf8'), file, baseUrl))
  if ('sentence' in tree) return []
  // A picture that is named like a link lies beside the text.
  const pictured = new Set(
    nodesOf(tree).flatMap(({ type, identifier }) => (type === 'imageReference' ? identifier : [])),
  )
  return nodesOf(tree).flatMap((node) => {
    const target = targetOf(node)
    if (target === undefined || (node.type === 'definition' && pictured.has(node.identifier))) return []
    const url = URL.parse(target, baseUrl + own)
    if (url?.origin !== new URL(baseUrl).origin) return []
    const path = url.pathname.replace(/(?<=.)\/$/, '')
    if (addresses.has(path) || isLive(path, addresses)) return []
    return [`${file}:${node.position?.start.line ?? 1}: there is nothing at ${decodeURI(path)}; correct the link`]
  })
}
