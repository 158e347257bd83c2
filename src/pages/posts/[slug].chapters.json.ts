import { episodeDocument } from '../../endpoints/episode-document.ts'
import { toChapters } from '../../feeds/podcast/chapters.ts'

export const prerender = false

export const ALL = episodeDocument('/posts/{slug}.chapters.json', (episode) => JSON.stringify(toChapters(episode)))
