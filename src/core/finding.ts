/** The result of checking one part of an installation. It is public: it contains no address, no folder and no key. */
export interface Finding {
  /** `failure`: nothing can be sold until it is mended. */
  readonly is: 'ok' | 'warning' | 'failure'
  readonly sentence: string
  /** What the operator can do; absent when nothing is to be done. */
  readonly advice?: string
}

/** A finding with the name of the part that was checked. */
export interface NamedFinding extends Finding {
  readonly name: string
}
