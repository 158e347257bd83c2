import type { Episode, EpisodeCue } from './episode.ts'

interface TranscriptPart {
  /** Of the chapter; empty for what is said before the first one. */
  readonly title: string
  readonly sentences: readonly EpisodeCue[]
}

/** What is said before the first chapter, and then each with its sentences; chapters in which nothing is said are left out. */
export function toTranscriptParts({ cues, chapters }: Pick<Episode, 'cues' | 'chapters'>): readonly TranscriptPart[] {
  const starts = [{ title: '', startMs: -1 }, ...chapters]
  return starts
    .map(({ title, startMs: from }, place) => {
      const until = starts[place + 1]?.startMs ?? Number.POSITIVE_INFINITY
      return { title, sentences: cues.filter(({ startMs }) => startMs >= from && startMs < until) }
    })
    .filter(({ sentences }) => sentences.length > 0)
}
