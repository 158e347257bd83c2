import type { EngineChoice } from '../config/engine-settings.ts'
import type { GuardedFetch } from '../fetching/fetched.ts'
import type { CoverStudio } from './covers/make-cover.ts'
import type { ImageEngine } from './image-engine.ts'
import { minimaxImages } from './minimax-images.ts'
import { openaiImages } from './openai-images.ts'

/** Opens the configured image engine. With every engine, the work on this machine runs in the studio's workers. */
export function openImageEngine(choice: EngineChoice, studio: CoverStudio, fetchPublic: GuardedFetch): ImageEngine {
  switch (choice.is) {
    case 'embedded':
      // No key, no network; the same wish with the same seed gives the same bytes.
      return {
        name: 'embedded',
        heedsSeed: true,
        generate: ({ signal, ...wish }) => studio.makeCover(wish, { signal }),
      }
    case 'minimax':
      return minimaxImages(choice, studio.finishPicture)
    case 'openai':
      return openaiImages(choice, studio.finishPicture, fetchPublic)
  }
}
