import { freeJson } from '../../discovery/free-json.ts'
import { readSearchQuery } from '../../search/read-search-query.ts'

export const prerender = false

export const ALL = freeJson('public, max-age=60', async ({ url, locals: { services } }) => {
  const read = readSearchQuery(url.searchParams)
  if (read.is === 'query') return services.search(read.query)
  return services.problem('invalid-input', {
    detail: `${read.errors.length === 1 ? '1 parameter is' : `${read.errors.length} parameters are`} wrong`,
    errors: read.errors,
    headers: { 'access-control-allow-origin': '*' },
  })
})
