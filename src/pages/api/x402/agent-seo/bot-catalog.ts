import type { APIRoute } from 'astro'
import crawlersFile from '../../../../../content/crawlers.json'
import { toCrawlerCatalog } from '../../../../../functions/bot-catalog/crawler-catalog.ts'
import { toLanding } from '../../../../../functions/bot-catalog/landing.ts'
import { freeDocument } from '../../../../discovery/free-document.ts'
import { crawlersSchema } from '../../../../publishing/crawlers-schema.ts'
import { shop } from '../../../../site-context.ts'

export const prerender = false

const landing = toLanding(toCrawlerCatalog(crawlersSchema.parse(crawlersFile)), shop.baseUrl)
const inspect = freeDocument(
  { contentType: 'text/plain; charset=utf-8', cacheControl: 'public, max-age=60' },
  async () => landing,
)

/** Whoever asks to inspect gets the landing text, paying or not; every other value is for the gate to refuse. */
function isInspection({ method, url }: Request): boolean {
  const wishes = new URL(url).searchParams.getAll('inspect')
  return (method === 'GET' || method === 'HEAD') && wishes.length === 1 && wishes[0] === '1'
}

export const ALL: APIRoute = (context) =>
  isInspection(context.request) ? inspect(context) : context.locals.services.paid('bot-catalog')(context.request)
