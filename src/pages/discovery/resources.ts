import { searchEndpoint } from '../../endpoints/search-endpoint.ts'
import { resourceQuery, toResourceList } from '../../offers/resource-list.ts'

export const prerender = false

export const ALL = searchEndpoint('/discovery/resources', resourceQuery, (services, query) =>
  toResourceList(services.paidOffers(), query),
)
