import { episodeDocument } from '../../discovery/episode-document.ts'
import { toChapters } from '../../publishing/podcast/chapters.ts'

export const prerender = false

export const ALL = episodeDocument('application/json+chapters; charset=utf-8', (episode) =>
  JSON.stringify(toChapters(episode)),
)
