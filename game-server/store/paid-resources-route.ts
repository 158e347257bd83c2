import { toPaidResources } from '../../src/discovery/well-known/paid-resources.ts'
import { get, type Route } from '../../src/http/route.ts'
import { answerJson } from './answer-json.ts'
import { storeProducts } from './products.ts'

/** `/.well-known/x402` of the game host: its one paid URL, listed once for each product. */
export function makePaidResourcesRoute(seller: Parameters<typeof toPaidResources>[1]): Route {
  const offers = storeProducts.map(({ offer }) => offer)
  const document = toPaidResources(offers, seller)
  return get('/.well-known/x402', () => answerJson(document, 'public, max-age=300'))
}
