import { oklch, type Rgb } from '../colour.ts'

/** Light and air over mountains. */
export interface MountainMood {
  readonly name: string
  readonly zenith: Rgb
  readonly horizon: Rgb
  readonly sun: Rgb
  readonly fog: Rgb
  readonly ambient: Rgb
  /** Height of the sun in radians. */
  readonly elevation: number
  readonly isBacklit: boolean
  readonly exposure: number
  readonly haze: number
  /** How likely the lower slopes are wooded. */
  readonly woods: number
}

/** The chroma of fog is at most 0.03: more looks like a colour filter. */
export const mountainMoods: readonly [MountainMood, ...MountainMood[]] = [
  {
    name: 'at dawn',
    zenith: oklch(0.6, 0.05, 255),
    horizon: oklch(0.87, 0.05, 60),
    sun: [1.7, 1.12, 0.74],
    fog: oklch(0.78, 0.025, 45),
    ambient: oklch(0.48, 0.035, 262),
    elevation: 0.17,
    isBacklit: true,
    exposure: 0.95,
    haze: 0.42,
    woods: 0.5,
  },
  {
    name: 'in low sun',
    zenith: oklch(0.56, 0.06, 245),
    horizon: oklch(0.88, 0.06, 80),
    sun: [2.1, 1.42, 0.84],
    fog: oklch(0.78, 0.03, 75),
    ambient: oklch(0.46, 0.04, 255),
    elevation: 0.24,
    isBacklit: false,
    exposure: 0.86,
    haze: 0.34,
    woods: 1,
  },
  {
    name: 'under clouds',
    zenith: oklch(0.5, 0.022, 245),
    horizon: oklch(0.85, 0.014, 225),
    sun: [0.95, 0.94, 0.9],
    fog: oklch(0.8, 0.014, 235),
    ambient: oklch(0.5, 0.02, 245),
    elevation: 0.5,
    isBacklit: false,
    exposure: 0.92,
    haze: 0.34,
    woods: 0.5,
  },
  {
    name: 'on a clear day',
    zenith: oklch(0.58, 0.075, 248),
    horizon: oklch(0.85, 0.03, 235),
    sun: [1.95, 1.78, 1.52],
    fog: oklch(0.78, 0.028, 240),
    ambient: oklch(0.5, 0.045, 250),
    elevation: 0.5,
    isBacklit: false,
    exposure: 0.8,
    haze: 0.26,
    woods: 1,
  },
  {
    name: 'at dusk',
    zenith: oklch(0.36, 0.045, 268),
    horizon: oklch(0.74, 0.075, 42),
    sun: [1.15, 0.66, 0.5],
    fog: oklch(0.5, 0.03, 280),
    ambient: oklch(0.36, 0.035, 268),
    elevation: 0.12,
    isBacklit: true,
    exposure: 1.15,
    haze: 0.5,
    woods: 0.5,
  },
]
