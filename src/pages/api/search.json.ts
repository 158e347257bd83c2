import { freeJson } from '../../discovery/free-json.ts'
import { refuseParameters } from '../../discovery/refuse-parameters.ts'
import { readSearchQuery } from '../../search/read-search-query.ts'

export const prerender = false

export const ALL = freeJson('public, max-age=60', async ({ url, locals }) => {
  const read = readSearchQuery(url.searchParams)
  return read.is === 'query' ? locals.services.search(read.query) : refuseParameters(locals, read.errors)
})
