import type { Offer } from '../../functions/offer.ts'

/**
 * The values that stand where a route template has `:names`.
 *
 * @example toPathParameters({ path: '/skills/x/raw', routeTemplate: '/skills/:slug/raw' }) // { slug: 'x' }
 */
export function toPathParameters({
  path,
  routeTemplate,
}: Pick<Offer, 'path' | 'routeTemplate'>): Record<string, string> {
  const values = path.split('/')
  const names = (routeTemplate ?? '').split('/')
  return Object.fromEntries(
    names.flatMap((name, place) => (name.startsWith(':') ? [[name.slice(1), values[place] ?? '']] : [])),
  )
}
