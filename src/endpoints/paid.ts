import { products } from 'virtual:products'
import type { APIRoute } from 'astro'
import { shop } from '../config/site-context.ts'
import { freeDocument } from './free-document.ts'

export const prerender = false

/** What `?inspect=1` answers for nothing, by path. */
const inspections = new Map<string, APIRoute>(
  [...products.values()].flatMap((declared) => {
    if ('offersOf' in declared || !declared.inspect) return []
    const text = declared.inspect(declared, shop.baseUrl)
    const kind = { contentType: 'text/plain; charset=utf-8', cacheControl: 'public, max-age=60' }
    return [[declared.path, freeDocument(kind, async () => text)] as const]
  }),
)

/** Whoever asks to inspect gets the free text, paying or not; every other value is for the gate to refuse. */
function isInspection({ method, url }: Request): boolean {
  const wishes = new URL(url).searchParams.getAll('inspect')
  return (method === 'GET' || method === 'HEAD') && wishes.length === 1 && wishes[0] === '1'
}

/** The endpoint of everything that is sold: the integration `product-routes` gives it the path of each product. */
export const ALL: APIRoute = (context) => {
  const { request, url, locals } = context
  const inspect = isInspection(request) ? inspections.get(url.pathname) : undefined
  return inspect ? inspect(context) : locals.services.paid(url.pathname)(request)
}
