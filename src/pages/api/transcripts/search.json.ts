import { freeJson } from '../../../discovery/free-json.ts'
import { refuseParameters } from '../../../discovery/refuse-parameters.ts'
import { readTranscriptQuery } from '../../../search/transcripts/read-transcript-query.ts'

export const prerender = false

export const ALL = freeJson('public, max-age=60', async ({ url, locals }) => {
  const read = readTranscriptQuery(url.searchParams)
  return read.is === 'query' ? locals.services.searchTranscripts(read.query) : refuseParameters(locals, read.errors)
})
