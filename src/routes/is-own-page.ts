import { siteRoutes } from './routes.ts'

/** Pages whose text is in `content/pages`, and which are known to programs all the same. */
const written: ReadonlySet<string> = new Set(['about', 'agents'])

/**
 * Names that mean something else in a build: the front page and the pages of failures, folders that it moves out of the
 * pages, and folders whose files are kept for ever.
 */
const ofBuild: ReadonlySet<string> = new Set([
  ...['index', '404', '500'],
  ...['private', 'prices', 'previews'],
  ...['_astro', 'assets', 'pagefind'],
])

/**
 * Whether the code of the site has an address for itself that a page of this name would take.
 *
 * @param sold the paths of what is for sale, which bring their own addresses
 */
export const isOwnPage = (id: string, sold: readonly string[] = []): boolean =>
  !written.has(id) &&
  (ofBuild.has(id) || [...Object.keys(siteRoutes), ...sold].some((path) => path.split('/')[1] === id))
