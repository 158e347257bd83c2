/** Values; see `image-modules.ts`. */
declare module 'virtual:site-images' {
  /** For previews of links to pages that have no card of their own. */
  export const card: import('../../content/post-images.ts').PageImage
  /** The podcast's artwork, 3000 pixels square. */
  export const artwork: import('../../content/post-images.ts').PageImage
}

/** `build-images.ts`, for prerendered pages only. */
declare module 'virtual:make-images' {
  export const getPostImages: typeof import('./build-images.ts').getPostImages
  export const getSampleImages: typeof import('./build-images.ts').getSampleImages
  export const getTitleCard: typeof import('./build-images.ts').getTitleCard
  export const getShownArtwork: typeof import('./build-images.ts').getShownArtwork
}
