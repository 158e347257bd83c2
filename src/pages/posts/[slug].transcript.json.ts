import { episodeDocument } from '../../endpoints/episode-document.ts'
import { toTranscriptJson } from '../../narration/episodes/transcript-json.ts'

export const prerender = false

export const ALL = episodeDocument('/posts/{slug}.transcript.json', ({ cues }) =>
  JSON.stringify(toTranscriptJson(cues)),
)
