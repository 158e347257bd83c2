/** A voice; `manner` is what distinguishes it from others of its gender. */
export interface Voice {
  /** The id in requests and settings. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly gender: 'female' | 'male' | 'neutral'
  readonly manner: 'calm' | 'bright' | 'deep' | 'plain'
  /** BCP 47; `mul` means that it speaks the language of the text. */
  readonly language: string
}

/** The voices of an engine; the first one is the default. */
export type Voices<Kind extends Voice = Voice> = readonly [Kind, ...Kind[]]
