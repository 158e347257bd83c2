import { clamp, mix, smooth } from '../arithmetic.ts'
import { darker, lighter, mixRgb, type Rgb } from '../colour.ts'
import type { Paint } from '../painting.ts'
import { seaPalettes } from './palettes.ts'
import { makeSheet, type Ridge, type Sheet } from './sheet.ts'

/** A sun over rows of waves. */
export const waves: Paint = (width, height, random) => {
  const sheet = makeSheet(width, height, random, seaPalettes)
  const { tones, colours, grain } = sheet
  const warm = mixRgb(tones[0], colours[1], 0.25)
  sheet.ground(warm, tones[0], (x, y) => smooth(0, 0.6, clamp(y / height + (grain(x, y) - 0.5) * 0.4)))
  const [sunX, sunY] = [width * random.range(0.3, 0.7), height * random.range(0.3, 0.4)]
  const radius = sheet.shorter * random.range(0.17, 0.24)
  sheet.circle(sunX, sunY, radius, {
    colour: colours[1],
    shade: (_, y) => clamp(((y - sunY) / radius) * 0.6 + 0.05),
    shadeColour: mixRgb(colours[1], tones[0], 0.65),
  })
  const rows = random.int(7, 9)
  const planned = Array.from({ length: rows }, (_, row) => planWave(sheet, row / (rows - 1), row))
  for (const [row, wave] of planned.entries()) {
    drawWave(sheet, wave, planned[row + 1]?.crest.hidesFrom ?? (() => height))
  }
  const finish = { hasFilmCurve: false, contrast: 1.03, saturation: 1.05, vignette: 0.06, grain: 0.028 }
  return { raster: sheet.raster, finish, scene: 'waves', alt: 'Illustration of a low sun over rows of waves' }
}

interface Wave {
  /** From far (0) to near (1). */
  readonly near: number
  readonly swell: number
  readonly length: number
  readonly colour: Rgb
  readonly crest: Ridge
}

function planWave({ width, height, noise, random, colours, tones, ridge }: Sheet, near: number, row: number): Wave {
  const level = height * mix(0.46, 0.94, near)
  const swell = height * mix(0.028, 0.085, near)
  const length = width * mix(0.16, 0.42, near) * random.range(0.85, 1.15)
  const phase = random.range(0, 6.28)
  const seed = random.range(0, 40)
  const water: readonly Rgb[] = [colours[2], colours[3], colours[4]]
  const colour = mixRgb(water[(row * 5 + 2) % 3] ?? colours[3], tones[5], near * 0.62)
  const crest = ridge((x) => {
    const turn = x / length + phase + 0.25 * noise.at((x / width) * 3 + seed, row)
    const crest = Math.abs(Math.sin(turn * Math.PI)) ** 0.78
    return level - crest * swell * (0.75 + 0.5 * noise.at((x / width) * 2 + seed, row * 2)) - swell * 0.2
  })
  return { near, swell, length, colour, crest }
}

/** A crested body, stippled below, with lines that follow the crest. */
function drawWave(sheet: Sheet, { near, swell, length, colour, crest }: Wave, hiddenFrom: (x: number) => number): void {
  const { width, height, unit, noise, tones } = sheet
  // Only the edge is filled plainly: everything below it is drawn next, with its shade.
  crest.fill({ colour }, (x) => Math.min(crest.at(x) + 1, hiddenFrom(x)))
  sheet.band(
    (x) => [crest.at(x) - 2, hiddenFrom(x)],
    (x, y) => crest.at(x) - y,
    {
      colour,
      shade: (x, y) =>
        clamp(((y - crest.at(x)) / (height * 0.2)) * 0.8 - 0.12 + 0.2 * noise.at((x / width) * 7, (y / height) * 7)),
      shadeColour: mixRgb(darker(colour, 0.5), tones[5], 0.4),
    },
  )
  for (let line = 0; line < 5; line += 1) {
    const depth = swell * (0.28 + line * 0.42)
    const thickness = unit * mix(1.2, 3.4, near) * (1 - line * 0.13)
    const ripple = (x: number) => line * swell * 0.06 * Math.sin((x / length) * 6.28 + line)
    const reach = thickness / 2 + 2
    sheet.band(
      (x) => {
        const middle = crest.at(x) + depth + ripple(x + 0.5)
        return [middle - reach, Math.min(middle + reach, hiddenFrom(x))]
      },
      (x, y) => Math.abs(y - crest.at(x) - depth - ripple(x)) - thickness / 2,
      { colour: lighter(colour, 0.42 - 0.05 * line), opacity: 0.7 },
    )
  }
}
