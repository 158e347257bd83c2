import type { Alternate } from '../core/alternate.ts'
import { toStartText } from '../core/durations.ts'
import { toInline, toSections } from '../core/markdown.ts'
import type { Episode } from '../narration/episodes/episode.ts'
import { toTranscriptParts } from '../narration/episodes/transcript-parts.ts'
import { toVoiceText } from '../narration/episodes/voice-text.ts'

/** The path of the transcript page of a post. */
const transcriptPath = (slug: string): `/${string}` => `/posts/${slug}/transcript`

/** The transcript of a narration as markdown, made per request, because narrations are added while the site runs. */
export function toTranscriptAlternate(episode: Episode, baseUrl: string): Alternate {
  const post = encodeURI(`${baseUrl}/posts/${episode.slug}`)
  const files = `As a file: [WebVTT](${post}.vtt), [JSON](${post}.transcript.json)`
  return {
    path: transcriptPath(episode.slug),
    title: episode.title,
    summary: `What is said in the narration of ${episode.title}.`,
    body: toSections(
      `${toVoiceText(episode)}. Each time leads to the sentence in [the post](${post}), where it can be heard. ${files}`,
      ...toTranscriptParts(episode).map(({ title, sentences }) =>
        toSections(
          title && `## ${toInline(title)}`,
          sentences
            .map(
              ({ text, startMs }) =>
                `- [${toStartText(startMs)}](${post}?t=${Math.floor(startMs / 1000)}) ${toInline(text)}`,
            )
            .join('\n'),
        ),
      ),
    ),
  }
}
