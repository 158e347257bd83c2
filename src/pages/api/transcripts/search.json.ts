import { freeJson } from '../../../endpoints/free-document.ts'
import { refuseParameters } from '../../../endpoints/refuse-parameters.ts'
import { readTranscriptQuery } from '../../../search/transcripts/read-transcript-query.ts'

export const prerender = false

export const ALL = freeJson('/api/transcripts/search.json', async ({ url, locals }) => {
  const read = readTranscriptQuery(url.searchParams)
  return read.is === 'query' ? locals.services.searchTranscripts(read.query) : refuseParameters(locals, read.errors)
})
