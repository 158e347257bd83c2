import site from '../../site.config.ts'
import { getTwins } from '../build/get-twins.ts'
import { toLlmsTxt } from '../discovery/llms-txt.ts'
import { getOffers } from '../publishing/skills.ts'
import { gameUrl, shop } from '../site-context.ts'

export const GET = async () => {
  const [twins, offers] = await Promise.all([getTwins(), getOffers()])
  const { name, description } = site
  return new Response(toLlmsTxt({ name, description, baseUrl: shop.baseUrl, gameUrl, twins, offers }), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
}
