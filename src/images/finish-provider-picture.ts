import { ProviderFailed } from '../providers/provider-failed.ts'
import type { AspectRatio } from './covers/cover.ts'
import type { ImageWish, MadeImage } from './image-engine.ts'
import { shortTitle } from './short-title.ts'

/** Cuts a picture to a shape and encodes it anew, away from the event loop; nothing when it is no picture. */
export type FinishPicture = (
  task: { bytes: Uint8Array; aspectRatio: AspectRatio },
  options: { signal: AbortSignal },
) => Promise<Uint8Array | undefined>

/**
 * A provider's bytes as an image of ours. Nothing of them is sold as it came: what no decoder sees is gone.
 *
 * @throws ProviderFailed when they are no picture
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
