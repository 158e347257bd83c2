/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number]

const texts = new Map<number, string>()

/** A colour as the canvas wants it; the few thousand that a torch makes are made once. */
export function toCss([red, green, blue]: Colour): string {
  const key = ((red & 0xff) << 16) | ((green & 0xff) << 8) | (blue & 0xff)
  const known = texts.get(key)
  if (known !== undefined) return known
  const text = `rgb(${key >> 16} ${(key >> 8) & 0xff} ${key & 0xff})`
  texts.set(key, text)
  return text
}

/** A colour under so much light, from 0 to 1. */
export const under = ([red, green, blue]: Colour, light: number): Colour => [red * light, green * light, blue * light]

/** What is left of a colour in memory: little, and that is cold. Signs are kept better than stones. */
export function remembered([red, green, blue]: Colour, clarity = 1): Colour {
  const grey = ((red + green + blue) / 3) * clarity
  return [grey * 0.17 + 6, grey * 0.21 + 9, grey * 0.36 + 16]
}
