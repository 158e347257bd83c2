import { clamp, mix, smooth } from '../arithmetic.ts'
import { darker, lighter, luminance, mixRgb, type Rgb } from '../colour.ts'
import type { Paint } from '../painting.ts'
import { spread } from '../raster.ts'
import { makeSheet, type Ridge, type Sheet } from './sheet.ts'

type Tree = 'pine' | 'cypress' | 'round'

/** Hills behind hills under a sun or a moon, with trees on the nearer ones. */
export const landscape: Paint = (width, height, random) => {
  const sheet = makeSheet(width, height, random)
  const { tones, colours, grain, noise } = sheet
  const isNight = random.next() < 0.25
  const [high, low] = isNight
    ? [darker(tones[5], 0.8), mixRgb(tones[5], tones[4], 0.8)]
    : [mixRgb(tones[0], tones[1], 0.35), tones[0]]
  const drift = spread(width, height, 8, (x, y) => 0.04 * noise.at((x / width) * 3, (y / height) * 3))
  sheet.ground(high, low, (x, y) => {
    const down = clamp((y / height) * 1.15 + drift(x, y))
    return smooth(0, 1, clamp(down + (grain(x, y) - 0.5) * 0.35))
  })
  drawSky(sheet, isNight, random.pick([colours[1], colours[4]]))
  const count = random.int(4, 6)
  const hills = Array.from({ length: count }, (_, layer): Rgb => {
    const near = layer / (count - 1)
    const base = mixRgb(isNight ? tones[4] : tones[2], tones[5], near)
    return mixRgb(base, colours[(layer * 2 + 3) % 6] ?? base, 0.42 * (1 - Math.abs(near - 0.4)))
  }).toSorted((a, b) => luminance(b) - luminance(a))
  const tree = random.pick<Tree>(['pine', 'cypress', 'round'])
  const planned = hills.map((colour, layer) =>
    planHill(sheet, colour, layer, {
      near: layer / (count - 1),
      tree: layer >= count - 3 && layer > 0 ? tree : undefined,
    }),
  )
  for (const [layer, hill] of planned.entries()) {
    drawHill(sheet, hill, planned[layer + 1]?.crest.hidesFrom ?? (() => height))
  }
  const finish = { hasFilmCurve: false, contrast: 1.03, saturation: 1.05, vignette: 0.06, grain: 0.028 }
  const light = isNight ? 'moon' : 'sun'
  return { raster: sheet.raster, finish, scene: 'landscape', alt: `Illustration of hills under a ${light}` }
}

function drawSky(sheet: Sheet, isNight: boolean, accent: Rgb): void {
  const { width, height, shorter, random, tones, unit } = sheet
  const [x, y] = [width * random.pick([0.24, 0.3, 0.68, 0.74]), height * random.range(0.24, 0.38)]
  const radius = shorter * random.range(0.12, 0.19)
  if (isNight) {
    for (let star = 0; star < 130; star += 1) {
      const [starX, starY] = [random.next() * width, random.next() * height * 0.6]
      sheet.circle(starX, starY, random.range(0.6, 2.1) * unit, {
        colour: lighter(tones[0], 0.5),
        opacity: random.range(0.3, 0.9),
      })
    }
  }
  const halo = isNight ? lighter(tones[5], 0.12) : lighter(mixRgb(tones[0], accent, 0.5), 0.25)
  for (let ring = random.next() < 0.6 ? 3 : 0; ring > 0; ring -= 1) {
    sheet.circle(x, y, radius * (1 + ring * 0.42), { colour: halo, opacity: 0.16 })
  }
  sheet.circle(x, y, radius, {
    colour: isNight ? lighter(tones[0], 0.4) : accent,
    shade: (px, py) => clamp((((px - x) * 0.55 + (py - y) * 0.8) / radius) * 0.62 + 0.08),
    shadeColour: isNight ? mixRgb(tones[0], tones[4], 0.45) : mixRgb(accent, tones[3], 0.55),
  })
}

interface Hill {
  readonly colour: Rgb
  readonly seed: number
  readonly crest: Ridge
  readonly trees: readonly { kind: Tree; x: number; tall: number }[]
}

interface HillPlace {
  /** From far (0) to near (1). */
  readonly near: number
  /** The kind of tree that grows on it. */
  readonly tree: Tree | undefined
}

function planHill(sheet: Sheet, colour: Rgb, layer: number, { near, tree }: HillPlace): Hill {
  const { width, height, noise, random } = sheet
  const seed = random.range(0, 90)
  const level = height * mix(0.5, 0.9, near ** 0.9)
  const rise = height * mix(0.17, 0.07, near)
  const pace = mix(2.6, 1.3, near)
  const isSharp = layer < 2 && random.next() < 0.75
  const crest = sheet.ridge((x) => {
    const along = (x / width) * pace + seed
    const crest = isSharp
      ? (noise.ridged(along * 0.8, layer * 7.7, 4, 2, 0.42) - 0.55) * 1.35
      : noise.fractal(along, layer * 3.3, 3, 2, 0.4) * 1.3
    return level - crest * rise
  })
  const trees: Hill['trees'][number][] = []
  const count = tree ? Math.round(near > 0.9 ? 14 : 34) : 0
  for (let place = 0; tree && place < count; place += 1) {
    const clump = noise.at(place * 0.9, seed) * 0.5 + 0.5
    const x = width * ((place + random.range(-0.4, 0.4)) / count)
    const tall = height * mix(0.03, 0.13, near ** 2) * random.range(0.6, 1.25)
    if (random.next() >= 0.35 && clump >= 0.28) trees.push({ kind: tree, x, tall })
  }
  return { colour, seed, crest, trees }
}

function drawHill(sheet: Sheet, { colour, seed, crest, trees }: Hill, hiddenFrom: (x: number) => number): void {
  const { width, height, noise, tones } = sheet
  // Only the edge is filled plainly: everything below it is drawn next, with its shade.
  crest.fill({ colour }, (x) => Math.min(crest.at(x) + 1, hiddenFrom(x)))
  const folds = spread(
    width,
    height,
    4,
    (x, y) => noise.fractal((x / width) * 5 + seed, (y / height) * 2.5, 3) * 0.28 * 0.9 - 0.06,
    crest.highest - 2,
  )
  const toCrest = (x: number, y: number) => crest.at(x) - y
  sheet.band((x) => [crest.at(x) - 2, hiddenFrom(x)], toCrest, {
    colour,
    shade: (x, y) => clamp(((y - crest.at(x)) / (height * 0.3)) * 0.95 + folds(x, y)),
    shadeColour: mixRgb(darker(colour, 0.5), tones[5], 0.35),
  })
  const strip = height * 0.05
  const lit = lighter(colour, 0.28)
  const toEdge = (x: number, y: number) => (y < crest.at(x) ? 1 : y - crest.at(x) - strip)
  sheet.band((x) => [crest.at(x) - 2, Math.min(crest.at(x) + strip + 2, hiddenFrom(x))], toEdge, {
    colour,
    shade: (x, y) => clamp((1 - (y - crest.at(x)) / strip) * 0.62 - 0.08),
    shadeColour: lit,
    opacity: 0.85,
  })
  for (const { kind, x, tall } of trees) {
    const foot = crest.at(clamp(x, 0, width - 1)) + tall * 0.04
    drawTree(sheet, kind, x, foot, tall, mixRgb(darker(colour, 0.6), tones[5], 0.5))
  }
}

function drawTree(sheet: Sheet, tree: Tree, x: number, foot: number, tall: number, colour: Rgb) {
  const shadeColour = lighter(colour, 0.18)
  const trunk = (from: number) =>
    sheet.rectangle(x - tall * 0.02, foot - tall * from, tall * 0.04, tall * (from + 0.01), {
      colour: darker(colour, 0.72),
    })
  if (tree === 'round') {
    trunk(0.55)
    const [middle, radius] = [foot - tall * 0.68, tall * 0.34]
    const shade = (px: number, py: number) => clamp((((x - px) * 0.7 + (middle - py) * 0.7) / radius) * 0.5 + 0.1)
    return sheet.circle(x, middle, radius, { colour, shade, shadeColour })
  }
  if (tree === 'pine') {
    for (let tier = 0; tier < 3; tier += 1) {
      const [base, high, half] = [foot - tall * (0.12 + tier * 0.25), tall * 0.48, tall * 0.25 * (1 - tier * 0.22)]
      const down = (py: number) => (py - (base - high)) / high
      const side = (px: number, py: number) => (down(py) < 0 || down(py) > 1 ? 1 : Math.abs(px - x) - half * down(py))
      const shade = (px: number) => clamp((((x - px) / half) * 0.5 + 0.1) * 0.8)
      sheet.shape([x - half, base - high, x + half, base], side, { colour, shade, shadeColour })
    }
    return trunk(0.14)
  }
  const half = (py: number) => tall * 0.13 * Math.sin(clamp((py - (foot - tall)) / tall) ** 0.72 * Math.PI * 0.94) + 0.4
  const side = (px: number, py: number) => (py < foot - tall || py > foot ? 1 : Math.abs(px - x) - half(py))
  const shade = (px: number) => clamp(((x - px) / (tall * 0.13)) * 0.5 + 0.05)
  sheet.shape([x - tall * 0.16, foot - tall, x + tall * 0.16, foot], side, { colour, shade, shadeColour })
}
