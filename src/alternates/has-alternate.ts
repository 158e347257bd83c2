import { alternatePath } from '../core/alternate.ts'
import { toPattern } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'

const paths = routes.filter(({ host }) => host === 'site').map(({ path }) => path)
const withAlternate = paths.filter((path) => paths.includes(alternatePath(path))).map((path) => toPattern({ path }))

/**
 * Whether the page at this path has a markdown alternate. Pages ask it here, because a layout that running pages share
 * must not carry the content; a test compares it with the alternates that exist.
 */
export const hasAlternate = (path: string): boolean => withAlternate.some((pattern) => pattern.test(path))
