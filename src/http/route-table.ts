import type { Route } from './route.ts'

/** The handler of a method and path, or the methods that the path allows. */
export type Found<Handler> = { readonly route: Route<Handler> } & (
  | { readonly is: 'handler'; readonly handle: Handler; readonly name: string }
  | { readonly is: 'options' | 'wrong-method'; readonly allow: string }
)

/** Finds the route of a canonical path; undefined where there is none. */
export type FindRoute<Handler> = (method: string, path: string) => Found<Handler> | undefined

/**
 * Builds the lookup of routes. HEAD uses the handler of GET; OPTIONS is available everywhere.
 *
 * @example makeRouteTable([{ path: '/death/:id', handlers: { GET: showDeath } }])('GET', '/death/d_9')
 * @throws Error when two routes have one path
 */
export function makeRouteTable<Handler>(routes: readonly Route<Handler>[]): FindRoute<Handler> {
  const entries = routes.map((route) => ({
    route,
    pattern: toPattern(route.path),
    handlers: new Map<string, Handler>(Object.entries(route.handlers)),
  }))
  const byPath = new Map(entries.map((entry) => [entry.route.path, entry]))
  const twice = entries.find((entry) => byPath.get(entry.route.path) !== entry)
  if (twice) throw new Error(`two routes have the path ${twice.route.path}`)
  const exact = new Map<string, (typeof entries)[number]>(
    entries.filter(({ pattern }) => !pattern).map((entry) => [entry.route.path, entry]),
  )
  const open = entries.filter(({ pattern }) => pattern)

  return (method, path) => {
    const entry = exact.get(path) ?? open.find(({ pattern }) => pattern?.test(path))
    if (!entry) return undefined
    const { route, pattern, handlers } = entry
    const handle = handlers.get(method === 'HEAD' ? 'GET' : method)
    if (handle) return { is: 'handler', route, handle, name: decodeURIComponent(pattern?.exec(path)?.[1] ?? '') }
    return { is: method === 'OPTIONS' ? 'options' : 'wrong-method', route, allow: toAllow([...handlers.keys()]) }
  }
}

/** The pattern of a path with a parameter or a wildcard; undefined for an exact path. */
function toPattern(path: string): RegExp | undefined {
  const [, before, open] = /^(.*\/)(:\w+|\*)$/.exec(path) ?? []
  return before === undefined ? undefined : new RegExp(`^${RegExp.escape(before)}(${open === '*' ? '.+' : '[^/]+'})$`)
}

const toAllow = (methods: readonly string[]): string =>
  [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')
