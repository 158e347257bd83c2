import { clamp, mix, smooth } from '../arithmetic.ts'
import { darker, lighter, mixRgb, type Rgb } from '../colour.ts'
import type { Paint } from '../painting.ts'
import { seaPalettes } from './palettes.ts'
import { makeSheet, type Sheet } from './sheet.ts'

/** A sun over rows of waves. */
export const waves: Paint = (width, height, random) => {
  const sheet = makeSheet(width, height, random, seaPalettes)
  const { tones, colours, grain } = sheet
  const warm = mixRgb(tones[0], colours[1], 0.25)
  sheet.ground((x, y) => mixRgb(warm, tones[0], smooth(0, 0.6, clamp(y / height + (grain(x, y) - 0.5) * 0.4))))
  const [sunX, sunY] = [width * random.range(0.3, 0.7), height * random.range(0.3, 0.4)]
  const radius = sheet.shorter * random.range(0.17, 0.24)
  sheet.circle(sunX, sunY, radius, {
    colour: colours[1],
    shade: (_, y) => clamp(((y - sunY) / radius) * 0.6 + 0.05),
    shadeColour: mixRgb(colours[1], tones[0], 0.65),
  })
  const rows = random.int(7, 9)
  for (let row = 0; row < rows; row += 1) drawWave(sheet, row / (rows - 1), row)
  const finish = { hasFilmCurve: false, contrast: 1.03, saturation: 1.05, vignette: 0.06, grain: 0.028 }
  return { raster: sheet.raster, finish, scene: 'waves', alt: 'Illustration of a low sun over rows of waves' }
}

/** One row, from far (0) to near (1): a crested body, stippled below, with lines that follow the crest. */
function drawWave(sheet: Sheet, near: number, row: number): void {
  const { width, height, unit, noise, random, colours, tones } = sheet
  const level = height * mix(0.46, 0.94, near)
  const swell = height * mix(0.028, 0.085, near)
  const length = width * mix(0.16, 0.42, near) * random.range(0.85, 1.15)
  const phase = random.range(0, 6.28)
  const seed = random.range(0, 40)
  const water: readonly Rgb[] = [colours[2], colours[3], colours[4]]
  const colour = mixRgb(water[(row * 5 + 2) % 3] ?? colours[3], tones[5], near * 0.62)
  const crestAt = sheet.ridge(
    (x) => {
      const turn = x / length + phase + 0.25 * noise.at((x / width) * 3 + seed, row)
      const crest = Math.abs(Math.sin(turn * Math.PI)) ** 0.78
      return level - crest * swell * (0.75 + 0.5 * noise.at((x / width) * 2 + seed, row * 2)) - swell * 0.2
    },
    { colour },
  )
  sheet.shape([0, level - swell * 2, width, height], (x, y) => crestAt(x) - y, {
    colour,
    shade: (x, y) =>
      clamp(((y - crestAt(x)) / (height * 0.2)) * 0.8 - 0.12 + 0.2 * noise.at((x / width) * 7, (y / height) * 7)),
    shadeColour: mixRgb(darker(colour, 0.5), tones[5], 0.4),
  })
  for (let line = 0; line < 5; line += 1) {
    const depth = swell * (0.28 + line * 0.42)
    const thickness = unit * mix(1.2, 3.4, near) * (1 - line * 0.13)
    const ripple = (x: number) => line * swell * 0.06 * Math.sin((x / length) * 6.28 + line)
    sheet.shape(
      [0, level - swell * 2, width, level + swell * 3],
      (x, y) => Math.abs(y - crestAt(x) - depth - ripple(x)) - thickness / 2,
      { colour: lighter(colour, 0.42 - 0.05 * line), opacity: 0.7 },
    )
  }
}
