import { searchEndpoint } from '../../../endpoints/search-endpoint.ts'
import { transcriptQuery } from '../../../search/search-query.ts'

export const prerender = false

export const ALL = searchEndpoint('/api/transcripts/search.json', transcriptQuery, (services, query) =>
  services.searchTranscripts(query),
)
