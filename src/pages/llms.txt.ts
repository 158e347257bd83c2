import site from '../../site.config.ts'
import { gameUrl, shop } from '../config/site-context.ts'
import { getOffers } from '../content/offers.ts'
import { toLlmsTxt } from '../discovery/llms-txt.ts'
import { getAlternates } from '../endpoints/get-alternates.ts'
import { prerendered } from '../endpoints/served.ts'

export const GET = async () => {
  const [alternates, offers] = await Promise.all([getAlternates(), getOffers()])
  const { name, description } = site
  return prerendered('/llms.txt', toLlmsTxt({ name, description, baseUrl: shop.baseUrl, gameUrl, alternates, offers }))
}
