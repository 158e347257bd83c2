/** Text converted to paths or pixels, so that no font of the machine is used. */
export interface Lettering {
  /** What goes inside an `<svg>`, with its upper left corner at 0, 0. */
  readonly paths: string
  readonly width: number
  readonly height: number
}

/** A box for letters, and the sizes that they may have. */
export interface Fit {
  readonly width: number
  readonly height: number
  readonly colour: string
  readonly smallest: number
  readonly largest: number
}
