import crawlersFile from '../../content/crawlers.json'
import site from '../../site.config.ts'
import { toRobots } from '../discovery/robots.ts'
import { crawlersSchema } from '../publishing/crawlers-schema.ts'
import { shop } from '../site-context.ts'

export const GET = () =>
  new Response(toRobots(crawlersSchema.parse(crawlersFile).crawlers, site.crawlers, shop.baseUrl), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
