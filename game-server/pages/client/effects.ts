/** A text that rises from a cell and fades. */
export interface Flight {
  readonly cell: number
  readonly text: string
  readonly colour: string
  readonly bornMs: number
}

/** Animations that are not part of the dungeon. */
export interface Effects {
  flights: readonly Flight[]
  /** When the player was last hurt, by `performance.now()`. */
  hurtMs: number
  /** The previous cells of beings that are sliding to their present ones, by id; 0 is the player. */
  readonly slides: Map<number, { readonly from: number; readonly bornMs: number }>
}

export const flightMs = 700
export const flashMs = 450
export const slideMs = 90

/** No effects yet. */
export const makeEffects = (): Effects => ({ flights: [], hurtMs: -flashMs, slides: new Map() })

/** Removes finished effects; returns whether any is still running. */
export function tidy(effects: Effects, nowMs: number): boolean {
  effects.flights = effects.flights.filter(({ bornMs }) => nowMs - bornMs < flightMs)
  for (const [id, { bornMs }] of effects.slides) if (nowMs - bornMs >= slideMs) effects.slides.delete(id)
  return effects.flights.length > 0 || effects.slides.size > 0 || nowMs - effects.hurtMs < flashMs
}
