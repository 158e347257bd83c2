/** The parts of the site that can be searched; the names are used in the address. */
export const places = ['Posts', 'Pages', 'Skills', 'APIs'] as const
export type Place = (typeof places)[number]

/** The place named in the address, if valid. */
export const readPlace = (name: string | null): Place | undefined => places.find((place) => place === name)

/** A result as readers see it, whichever index found it. */
export interface ShownResult {
  readonly url: string
  readonly title: string
  /** HTML in which `<mark>` is the only markup. */
  readonly snippet: string
  /** Its kind and its price: `Skill, $0.10`. */
  readonly about: string
  /** The post, played from the sentence that was found. */
  readonly listenUrl?: string
}

/** What a search found. */
export interface Answer {
  /** The number of all matches, including those beyond `size`. */
  readonly total: number
  /** The number of available results. */
  readonly size: number
  /** Loads the first `count` results. */
  readonly take: (count: number) => Promise<ShownResult[]>
}

/** Searches for the words of a reader in one place, or everywhere. */
export type Search = (query: string, place: Place | undefined) => Promise<Answer>
