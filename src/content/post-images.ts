/** A picture as a page shows it. */
export interface PageImage {
  /** JPEG, from the root. */
  readonly src: string
  readonly width: number
  readonly height: number
  /** Of the JPEG; absent when it may be drawn later. */
  readonly bytes?: number
  readonly alt: string
}

/** A picture in several widths. */
export interface WideImage extends PageImage {
  /** AVIF, as HTML's `srcset` lists it. */
  readonly srcset: string
}

/** The pictures of one post. */
export interface PostImages {
  readonly cover: WideImage
  /** For previews of links, with the title in it. */
  readonly card: PageImage
  /** For its episode, with the title in it. */
  readonly square: PageImage
}
