import { clamp, mix } from './arithmetic.ts'

/** Linear-light sRGB. Values exceed 1 where a scene is brighter than white paper. */
export type Rgb = readonly [red: number, green: number, blue: number]

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** The transfer curve of sRGB. */
export const toSrgb = (value: number): number =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055

const channelOf = (text: string, start: number) => Number.parseInt(text.slice(start, start + 2), 16)
const channel = (text: string, start: number) => toLinear(channelOf(text, start) / 255)

/** Converts `#rrggbb` to linear light. */
export const fromHex = (text: string): Rgb => [channel(text, 1), channel(text, 3), channel(text, 5)]

/** A colour by lightness, chroma and hue as eyes see them (Björn Ottosson's OKLCH). */
export function oklch(lightness: number, chroma: number, hueDegrees: number): Rgb {
  const a = chroma * Math.cos((hueDegrees * Math.PI) / 180)
  const b = chroma * Math.sin((hueDegrees * Math.PI) / 180)
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    clamp(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    clamp(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    clamp(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ]
}

/** Interpolates two colours in linear light. */
export const mixRgb = (from: Rgb, to: Rgb, share: number): Rgb => [
  mix(from[0], to[0], share),
  mix(from[1], to[1], share),
  mix(from[2], to[2], share),
]

/** A colour times a number, channel by channel. */
export const scale = ([red, green, blue]: Rgb, by: number): Rgb => [red * by, green * by, blue * by]

/** Adds a share of one light to another. */
export const add = (colour: Rgb, light: Rgb, share = 1): Rgb => [
  colour[0] + light[0] * share,
  colour[1] + light[1] * share,
  colour[2] + light[2] * share,
]

/** Towards black. */
export const darker = (colour: Rgb, by = 0.55): Rgb => scale(colour, by)
/** Towards white. */
export const lighter = (colour: Rgb, by = 0.35): Rgb => mixRgb(colour, [1, 1, 1], by)

/** Relative luminance, for sorting and contrast. */
export const luminance = ([red, green, blue]: Rgb): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

/** Contrast ratio of WCAG 2. */
export function contrast(first: Rgb, second: Rgb): number {
  const [one, other] = [luminance(first), luminance(second)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** Interpolates two `#rrggbb` colours in sRGB, without conversion to linear light. */
export function mixHex(from: string, to: string, share: number): string {
  const channels = [1, 3, 5].map((start) => {
    const [one, other] = [channelOf(from, start), channelOf(to, start)]
    return Math.round(mix(one, other, share))
  })
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
