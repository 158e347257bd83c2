import { searchEndpoint } from '../../endpoints/search-endpoint.ts'
import { searchQuery } from '../../search/search-query.ts'

export const prerender = false

export const ALL = searchEndpoint('/api/search.json', searchQuery, (services, query) => services.search(query))
