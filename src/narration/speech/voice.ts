/** What can be told of a voice without hearing it; `manner` is what sets it apart from others of its gender. */
export interface Voice {
  /** As buyers and settings write it. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly gender: 'female' | 'male' | 'neutral'
  readonly manner: 'calm' | 'bright' | 'deep' | 'plain'
  /** BCP 47; `mul` speaks whatever language the text is in. */
  readonly language: string
}

/** The voices of an engine; the first speaks when nothing is known of the one asked for. */
export type Voices<Kind extends Voice = Voice> = readonly [Kind, ...Kind[]]
