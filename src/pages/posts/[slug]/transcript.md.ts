import { toTranscriptAlternate } from '../../../alternates/transcript-alternate.ts'
import { shop } from '../../../config/site-context.ts'
import { toAlternateText } from '../../../endpoints/alternate-text.ts'
import { episodeDocument } from '../../../endpoints/episode-document.ts'

export const prerender = false

/** The markdown alternate of a transcript. */
export const ALL = episodeDocument('/posts/{slug}/transcript.md', (episode) =>
  toAlternateText(toTranscriptAlternate(episode, shop.baseUrl), shop.baseUrl),
)
