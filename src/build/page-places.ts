import { join } from 'node:path'
import type { AstroPrerenderer } from 'astro'

/** A page or endpoint that a prerenderer is asked to render. */
export type Path = Awaited<ReturnType<AstroPrerenderer['getStaticPaths']>>[number]

const movedAway = ['private', 'prices', 'previews']

/** Whether the file that is rendered for a path stays among the client files. */
export const isServed = (path: string): boolean => !movedAway.some((name) => path.startsWith(`/${name}/`))

/** A path as Astro normalizes it here: one slash at the start and none at the end. */
export const toAddress = (pathname: string): string => `/${pathname.replace(/^\/+|\/+$/g, '')}`

/**
 * The file that Astro writes for a path, below the client folder. Only the error pages are not folders.
 *
 * @param type the type of its route: `page` or `endpoint`
 */
export function toFile(pathname: string, type: string): string {
  const name = toAddress(pathname).slice(1)
  if (type !== 'page') return name
  return name === '404' || name === '500' ? `${name}.html` : join(name, 'index.html')
}

/**
 * The file of a page as it was written, with placeholders that the running site fills in, below the build's `narrated`
 * folder. It lies beside others and not in a folder of its own, as the served page does, because making a folder takes
 * longer than writing the file.
 *
 * @param file that of the served page, below the client folder
 */
export const toPlaceholdersFile = (file: string): string => file.replace(/\/index\.html$/, '~.html')
