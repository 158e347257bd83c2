/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number]

const texts = new Map<number, string>()

/** A colour in CSS syntax. Strings are cached, because the torch uses only a few thousand colours. */
export function toCss([red, green, blue]: Colour): string {
  const key = ((red & 0xff) << 16) | ((green & 0xff) << 8) | (blue & 0xff)
  const known = texts.get(key)
  if (known !== undefined) return known
  const text = `rgb(${key >> 16} ${(key >> 8) & 0xff} ${key & 0xff})`
  texts.set(key, text)
  return text
}

/** A colour under light from 0 to 1. */
export const under = ([red, green, blue]: Colour, light: number): Colour => [red * light, green * light, blue * light]

/** The colour of a remembered cell: dark and bluish; `clarity` above 1 makes it lighter, for glyphs. */
export function remembered([red, green, blue]: Colour, clarity = 1): Colour {
  const grey = ((red + green + blue) / 3) * clarity
  return [grey * 0.17 + 6, grey * 0.21 + 9, grey * 0.36 + 16]
}
