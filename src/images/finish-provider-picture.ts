import { ProviderFailed } from '../providers/provider-failed.ts'
import type { AspectRatio } from './covers/cover.ts'
import type { ImageWish, MadeImage } from './image-engine.ts'
import { shortTitle } from './short-title.ts'

/** Crops a picture to an aspect ratio and re-encodes it in another process; undefined when it is not a picture. */
export type FinishPicture = (
  task: { bytes: Uint8Array; aspectRatio: AspectRatio },
  options: { signal: AbortSignal },
) => Promise<Uint8Array | undefined>

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
  const jpeg = await finish({ bytes, aspectRatio }, { signal })
  if (!jpeg) throw new ProviderFailed('unusable', 'sent what is not a picture')
  return { jpeg, alt: `Picture made by a model for “${shortTitle(title)}”` }
}
