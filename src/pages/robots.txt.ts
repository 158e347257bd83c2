import crawlersFile from '../../content/crawlers.json'
import site from '../../site.config.ts'
import { shop } from '../config/site-context.ts'
import { crawlersSchema } from '../content/crawlers-schema.ts'
import { toRobots } from '../discovery/robots.ts'
import { prerendered } from '../endpoints/served.ts'

export const GET = () =>
  prerendered('/robots.txt', toRobots(crawlersSchema.parse(crawlersFile).crawlers, site.crawlers, shop.baseUrl))
