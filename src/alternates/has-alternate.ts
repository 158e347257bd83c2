import { alternatePath } from '../core/alternate.ts'
import { toPattern } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'

const paths = routes.filter(({ host }) => host === 'site').map(({ path }) => path)
const withAlternate = paths.filter((path) => paths.includes(alternatePath(path))).map((path) => toPattern({ path }))

/**
 * Whether the page at this path has a markdown alternate. It is derived from the routes, because the layout is also
 * part of the running server, whose bundle must not contain the posts; a test compares it with the alternates that
 * exist.
 */
export const hasAlternate = (path: string): boolean => withAlternate.some((pattern) => pattern.test(path))
