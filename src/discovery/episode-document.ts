import type { APIRoute } from 'astro'
import type { Episode } from '../media/episode.ts'
import { freeDocument } from './free-document.ts'

/** What narrations change with; players ask again whether it has. */
const cacheControl = 'public, max-age=300'

/** A document about the narration of the post whose slug is in the path; 404 while there is none. */
export const episodeDocument = (contentType: string, write: (episode: Episode) => string): APIRoute =>
  freeDocument({ contentType, cacheControl }, async ({ params, locals: { services } }) => {
    const episode = services.episodes.find(params['slug'] ?? '')
    if (episode) return write(episode)
    return services.problem('not-found', { detail: 'No post of this name has a narration (yet)' })
  })
