import type { Episode } from '../../media/episode.ts'

/** Chapters as podcast players read them (Podcasting 2.0, JSON chapters 1.2): times in seconds. */
export interface Chapters {
  readonly version: '1.2.0'
  readonly title: string
  readonly chapters: readonly { readonly startTime: number; readonly title: string }[]
}

/** The chapters of a narration, one for each section of the post. */
export const toChapters = ({ title, chapters }: Episode): Chapters => ({
  version: '1.2.0',
  title: title.toWellFormed(),
  chapters: chapters.map((chapter) => ({ startTime: chapter.startMs / 1000, title: chapter.title.toWellFormed() })),
})
