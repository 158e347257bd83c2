import type { Ink, Tone } from '../../motifs/shape.ts'
import type { SeededRandom } from '../seeded-random.ts'

/** Colours for a picture of a thing, `#rrggbb`. */
export interface Scheme {
  /** Background colours, from deep to pale. */
  readonly ground: readonly [deep: string, middle: string, pale: string]
  readonly inks: Readonly<Record<Ink, string>>
}

const scheme = (ground: Scheme['ground'], main: string, second: string, dark: string, light: string): Scheme => ({
  ground,
  inks: { main, second, dark, light },
})

type Schemes = readonly [Scheme, ...Scheme[]]

const toned: Readonly<Record<Exclude<Tone, 'any'>, Schemes>> = {
  warm: [
    scheme(['#1f4a52', '#2f6f73', '#8fc0b4'], '#e3a35a', '#b4622f', '#2b1d1a', '#fdf3e0'),
    scheme(['#e6c79c', '#f1dcbb', '#faefdb'], '#c06a32', '#6f8f78', '#3a2418', '#fffaf0'),
    scheme(['#2b3a67', '#4a5d94', '#a9b7da'], '#f2b44c', '#e0793f', '#1a1d33', '#fff4dd'),
    scheme(['#9c4634', '#c66d50', '#eab793'], '#f6c667', '#7a2e2a', '#3b1514', '#fff1dc'),
  ],
  green: [
    scheme(['#e5cfa2', '#f0e0bd', '#faf1dc'], '#4f8a5b', '#a7a84c', '#1f3a2e', '#fffbef'),
    scheme(['#e79c82', '#f2bda8', '#fadccf'], '#2f6b52', '#86a86a', '#1b332a', '#fff6ec'),
    scheme(['#17363a', '#25545a', '#6fa39b'], '#9cc26a', '#e2b350', '#0e2022', '#f4f7e3'),
  ],
  cool: [
    scheme(['#efc48e', '#f6dab3', '#fbeedb'], '#2f6f93', '#e38b4f', '#14303f', '#fffaf0'),
    scheme(['#df8d76', '#eeb3a0', '#f8d9cd'], '#27567d', '#f3d08a', '#15293f', '#fff5ea'),
    scheme(['#152b4a', '#264a75', '#7fa3c4'], '#f3c766', '#e9795b', '#0b1626', '#f5f1e4'),
    scheme(['#a9c8c7', '#c9dedb', '#e8f1ef'], '#1f5f7a', '#d9684a', '#112d3a', '#ffffff'),
  ],
  red: [
    scheme(['#e8cda0', '#f3dfbd', '#fbf0dd'], '#c9412f', '#2f6f73', '#2a1a1a', '#fffaf0'),
    scheme(['#1d4650', '#2d6a72', '#8fbdb5'], '#ea6a4b', '#f2c25b', '#10262b', '#fdf4e3'),
    scheme(['#2a2f55', '#434a80', '#a3a9d0'], '#f0705c', '#f3c56d', '#171a33', '#fbf0e4'),
    scheme(['#9dc0b0', '#bfd7cb', '#e3efe8'], '#b8433a', '#e39c4d', '#2b1c1b', '#fffdf6'),
  ],
}

const every: Schemes = [...toned.warm, ...toned.green, ...toned.cool, ...toned.red]

/** A random colour scheme that suits the tone of a motif. */
export const pickScheme = (tone: Tone, random: SeededRandom): Scheme =>
  random.pick(tone === 'any' ? every : toned[tone])
