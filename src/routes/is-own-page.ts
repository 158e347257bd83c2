import { siteRoutes } from './routes.ts'

/** Declared routes whose text is in `content/pages`, so a file of that name is allowed there. */
const written: ReadonlySet<string> = new Set(['about', 'agents'])

/**
 * Names with another meaning in a build: the front page and the error pages, folders that the build moves out of the
 * client files, and folders whose files are cached without limit.
 */
const ofBuild: ReadonlySet<string> = new Set([
  ...['index', '404', '500'],
  ...['private', 'prices', 'previews'],
  ...['_astro', 'assets', 'pagefind'],
])

/**
 * Whether a page of this name would have an address that the code of the site already uses.
 *
 * @param sold the paths of all products
 */
export const isOwnPage = (id: string, sold: readonly string[] = []): boolean =>
  !written.has(id) &&
  (ofBuild.has(id) || [...Object.keys(siteRoutes), ...sold].some((path) => path.split('/')[1] === id))
