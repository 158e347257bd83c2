import { episodeDocument } from '../../discovery/episode-document.ts'
import { toWebVtt } from '../../publishing/webvtt.ts'

export const prerender = false

export const ALL = episodeDocument('text/vtt; charset=utf-8', ({ cues }) => toWebVtt(cues))
