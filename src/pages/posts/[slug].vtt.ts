import { episodeDocument } from '../../endpoints/episode-document.ts'
import { toWebVtt } from '../../narration/episodes/webvtt.ts'

export const prerender = false

export const ALL = episodeDocument('/posts/{slug}.vtt', ({ cues }) => toWebVtt(cues))
