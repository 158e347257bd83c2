import type { APIRoute } from 'astro'
import type { Episode } from '../narration/episodes/episode.ts'
import { freeDocument } from './free-document.ts'
import { type SitePath, served } from './served.ts'

/** A route for a document about the narration of the post whose slug is in the path; 404 while it has none. */
export const episodeDocument = (path: SitePath, write: (episode: Episode) => string): APIRoute =>
  freeDocument(served(path), async ({ params, locals: { services } }) => {
    const episode = services.episodes.find(params['slug'] ?? '')
    if (episode) return write(episode)
    return services.problem('not-found', { detail: 'No post of this name has a narration (yet)' })
  })
