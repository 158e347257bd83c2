import { type Host, toPattern } from './route.ts'
import { routes } from './routes.ts'

/**
 * Makes a function that finds the template of the declared route that a path belongs to, so that traces can be grouped
 * by route.
 *
 * @param sold the paths of the current products, which no route declares
 * @example makeFindTemplate('site', () => [])('/posts/on-money') // '/posts/{slug}'
 */
export function makeFindTemplate(host: Host, sold: () => readonly string[]): (path: string) => string | undefined {
  const own = routes.filter((route) => route.host === host)
  const exact = new Set<string>(own.map(({ path }) => path))
  const open = own
    .filter(({ path }) => path.includes('{'))
    .map((route) => ({ path: route.path, pattern: toPattern(route) }))
  return (path) => {
    if (exact.has(path) || sold().includes(path)) return path
    return open.find(({ pattern }) => pattern.test(path))?.path
  }
}
