import { ProviderFailed } from '../providers/provider-failed.ts'
import type { AspectRatio } from './covers/cover.ts'
import type { FinishedPicture } from './finish-picture.ts'
import type { ImageWish, MadeImage } from './image-engine.ts'
import { shortTitle } from './short-title.ts'

/** Crops a picture to an aspect ratio and re-encodes it in another process. */
export type FinishPicture = (
  task: { bytes: Uint8Array; aspectRatio: AspectRatio },
  options: { signal: AbortSignal },
) => Promise<FinishedPicture>

/**
 * Turns a provider's bytes into an image for sale. They are always re-encoded, so that hidden data is removed.
 *
 * @throws ProviderFailed when they are not a picture
 */
export async function finishProviderPicture(
  bytes: Uint8Array,
  { title, aspectRatio, signal }: ImageWish,
  finish: FinishPicture,
): Promise<MadeImage> {
  const finished = await finish({ bytes, aspectRatio }, { signal })
  if ('why' in finished) throw new ProviderFailed('unusable', 'sent what is not a picture', { cause: finished.why })
  return { jpeg: finished.jpeg, alt: `Picture made by a model for “${shortTitle(title)}”` }
}
