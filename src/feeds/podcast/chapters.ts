import type { Episode } from '../../narration/episodes/episode.ts'

/** The chapters of a narration for podcast players (Podcasting 2.0, JSON chapters 1.2); times are in seconds. */
export const toChapters = ({ title, chapters }: Episode) => ({
  version: '1.2.0',
  title: title.toWellFormed(),
  chapters: chapters.map((chapter) => ({ startTime: chapter.startMs / 1000, title: chapter.title.toWellFormed() })),
})
