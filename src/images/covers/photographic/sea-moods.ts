import { clamp } from '../arithmetic.ts'
import { mixRgb, oklch, type Rgb } from '../colour.ts'

/** The light over a sea. */
export interface SeaMood {
  readonly name: string
  readonly zenith: Rgb
  readonly horizon: Rgb
  readonly sun: Rgb
  readonly deep: Rgb
  /** Height of the sun in radians. */
  readonly elevation: number
  readonly isStorm?: boolean
}

export const seaMoods: readonly [SeaMood, ...SeaMood[]] = [
  {
    name: 'at dawn',
    zenith: oklch(0.62, 0.05, 255),
    horizon: oklch(0.9, 0.055, 65),
    sun: [2, 1.35, 0.85],
    deep: oklch(0.24, 0.035, 230),
    elevation: 0.06,
  },
  {
    name: 'under storm clouds',
    zenith: oklch(0.44, 0.015, 245),
    horizon: oklch(0.76, 0.012, 235),
    sun: [0.45, 0.46, 0.48],
    deep: oklch(0.22, 0.025, 215),
    elevation: 0.5,
    isStorm: true,
  },
  {
    name: 'on a clear day',
    zenith: oklch(0.6, 0.085, 250),
    horizon: oklch(0.9, 0.025, 225),
    sun: [2, 1.9, 1.7],
    deep: oklch(0.3, 0.06, 225),
    elevation: 0.4,
  },
  {
    name: 'at dusk',
    zenith: oklch(0.36, 0.055, 275),
    horizon: oklch(0.78, 0.1, 45),
    sun: [2.2, 1.0, 0.55],
    deep: oklch(0.17, 0.03, 260),
    elevation: 0.03,
  },
]

/** Share of the zenith colour in the clear sky; `up` is 0 at the horizon and 1 overhead. */
export const clearSkyShare = (up: number): number => Math.sqrt(clamp(up * 1.9))

/** Colour of the clear sky; `up` is 0 at the horizon and 1 overhead. */
export const clearSky = ({ horizon, zenith }: SeaMood, up: number): Rgb => mixRgb(horizon, zenith, clearSkyShare(up))
