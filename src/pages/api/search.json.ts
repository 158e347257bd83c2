import { freeJson } from '../../endpoints/free-document.ts'
import { refuseParameters } from '../../endpoints/refuse-parameters.ts'
import { readSearchQuery } from '../../search/read-search-query.ts'

export const prerender = false

export const ALL = freeJson('/api/search.json', async ({ url, locals }) => {
  const read = readSearchQuery(url.searchParams)
  return read.is === 'query' ? locals.services.search(read.query) : refuseParameters(locals, read.errors)
})
