import { episodeDocument } from '../../discovery/episode-document.ts'
import { toTranscriptJson } from '../../publishing/transcript-json.ts'

export const prerender = false

export const ALL = episodeDocument('application/json; charset=utf-8', ({ cues }) =>
  JSON.stringify(toTranscriptJson(cues)),
)
