/** A picture as pages refer to it. */
export interface PageImage {
  /** The path of the JPEG, from the root. */
  readonly src: string
  readonly width: number
  readonly height: number
  /** The size of the JPEG in bytes; absent when it may be drawn later. */
  readonly bytes?: number
  readonly alt: string
}

/** A picture in several widths. */
export interface WideImage extends PageImage {
  /** The AVIF editions, in the syntax of HTML's `srcset`. */
  readonly srcset: string
}

/** The pictures of one post. */
export interface PostImages {
  readonly cover: WideImage
  /** For link previews, with the title in the picture. */
  readonly card: PageImage
  /** For its podcast episode, with the title in the picture. */
  readonly square: PageImage
}
