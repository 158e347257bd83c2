import { products } from 'virtual:products'
import type { APIRoute } from 'astro'
import { shop } from '../config/site-context.ts'
import { freeDocument } from './free-document.ts'

export const prerender = false

/** The free responses to `?inspect=1`, by path. */
const inspections = new Map<string, APIRoute>(
  [...products.values()].flatMap((declared) => {
    if ('offersOf' in declared || !declared.inspect) return []
    const text = declared.inspect(declared, shop.baseUrl)
    const kind = { contentType: 'text/plain; charset=utf-8', cacheControl: 'public, max-age=60' }
    return [[declared.path, freeDocument(kind, async () => text)] as const]
  }),
)

/**
 * Whether the request asks for the free text. It gets it even with a payment; other values of `inspect` are left to the
 * payment gate, which refuses them.
 */
function isInspection({ method, url }: Request): boolean {
  const wishes = new URL(url).searchParams.getAll('inspect')
  return (method === 'GET' || method === 'HEAD') && wishes.length === 1 && wishes[0] === '1'
}

/** The endpoint of all products: the integration `product-routes` registers it at the path of each product. */
export const ALL: APIRoute = (context) => {
  const { request, url, locals } = context
  const inspect = isInspection(request) ? inspections.get(url.pathname) : undefined
  return inspect ? inspect(context) : locals.services.paid(url.pathname)(request)
}
