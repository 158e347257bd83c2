/** What a look at one part of an installation found. Everybody may read it: no address, no folder, no key. */
export interface Finding {
  /** `failure`: nothing can be sold because of it. */
  readonly is: 'ok' | 'warning' | 'failure'
  readonly sentence: string
  /** What the operator can do; absent when nothing is to be done. */
  readonly advice?: string
}

/** A finding with the part that was looked at. */
export interface NamedFinding extends Finding {
  readonly name: string
}
