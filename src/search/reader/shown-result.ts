/** Where a reader may search; the names stand in the address. */
export const places = ['Posts', 'Pages', 'Skills', 'APIs'] as const
export type Place = (typeof places)[number]

/** The place of an address, if it names one. */
export const readPlace = (name: string | null): Place | undefined => places.find((place) => place === name)

/** A result as readers see it, whichever index found it. */
export interface ShownResult {
  readonly url: string
  readonly title: string
  /** HTML in which `<mark>` is the only markup. */
  readonly snippet: string
  /** What it is and what it costs: `Skill, $0.10`. */
  readonly about: string
  /** The post, played from the sentence that was found. */
  readonly listenUrl?: string
}

/** What a search found. */
export interface Answer {
  /** Also of what is not among the results. */
  readonly total: number
  /** How many results can be had. */
  readonly size: number
  /** The first so many. */
  readonly take: (count: number) => Promise<ShownResult[]>
}

/** Searches for the words of a reader in one place, or everywhere. */
export type Search = (query: string, place: Place | undefined) => Promise<Answer>
