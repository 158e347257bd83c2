import type { PageImage } from '../../publishing/post-images.ts'
import type { KeptFile } from './image-cache.ts'

/** Below the client folder: what is in it may be kept for ever, because every name carries a hash. */
export const assetFolder = '_astro'

/** A kept file as pages name it. */
export const toPageImage = ({ name, width, height, bytes }: KeptFile, alt: string): PageImage => ({
  src: encodeURI(`/${assetFolder}/${name}`),
  width,
  height,
  bytes,
  alt,
})
