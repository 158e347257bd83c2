import type { Episode, EpisodeCue } from './episode.ts'

interface TranscriptPart {
  /** Title of the chapter; empty for the part before the first chapter. */
  readonly title: string
  readonly sentences: readonly EpisodeCue[]
}

/** The sentences before the first chapter, and then those of each chapter; chapters without sentences are left out. */
export function toTranscriptParts({ cues, chapters }: Pick<Episode, 'cues' | 'chapters'>): readonly TranscriptPart[] {
  const starts = [{ title: '', startMs: -1 }, ...chapters]
  return starts
    .map(({ title, startMs: from }, place) => {
      const until = starts[place + 1]?.startMs ?? Number.POSITIVE_INFINITY
      return { title, sentences: cues.filter(({ startMs }) => startMs >= from && startMs < until) }
    })
    .filter(({ sentences }) => sentences.length > 0)
}
