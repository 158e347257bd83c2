import { siteRoutes } from './routes.ts'

/** Pages whose text is in `content/pages`, and which are known to programs all the same. */
const written: ReadonlySet<string> = new Set(['about', 'agents'])

/** Whether the code of the site has an address for itself that a page of this name would take. */
export const isOwnPage = (id: string): boolean =>
  !written.has(id) && Object.keys(siteRoutes).some((path) => path.split('/')[1] === id)
