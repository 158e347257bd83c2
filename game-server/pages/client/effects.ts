/** Something that flies up from a cell and is gone. */
export interface Flight {
  readonly cell: number
  readonly text: string
  readonly colour: string
  readonly bornMs: number
}

/** What moves on the picture without being part of the dungeon. */
export interface Effects {
  flights: readonly Flight[]
  /** When the player was last hurt. */
  hurtMs: number
  /** Where beings were, while they slide to where they are. */
  readonly slides: Map<number, { readonly from: number; readonly bornMs: number }>
}

export const flightMs = 700
export const flashMs = 450
export const slideMs = 90

/** No effects yet. */
export const makeEffects = (): Effects => ({ flights: [], hurtMs: -flashMs, slides: new Map() })

/** Lets go of what is over; says whether anything still moves. */
export function tidy(effects: Effects, nowMs: number): boolean {
  effects.flights = effects.flights.filter(({ bornMs }) => nowMs - bornMs < flightMs)
  for (const [id, { bornMs }] of effects.slides) if (nowMs - bornMs >= slideMs) effects.slides.delete(id)
  return effects.flights.length > 0 || effects.slides.size > 0 || nowMs - effects.hurtMs < flashMs
}
