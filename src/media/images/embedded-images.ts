import type { CoverStudio } from '../covers/make-cover.ts'
import type { ImageEngine } from './image-engine.ts'

/** The program's own engine: no key, no network; the same wish gives the same bytes. */
export const embeddedImages = (studio: Pick<CoverStudio, 'makeCover'>): ImageEngine => ({
  name: 'embedded',
  generate: ({ signal, ...wish }) => studio.makeCover(wish, { signal }),
})
