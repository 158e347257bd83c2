import { clamp } from '../arithmetic.ts'
import { blur } from '../raster.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { drawGreySvg, drawSvg } from './draw-svg.ts'
import type { Stage } from './stage.ts'

/** Shadows are computed at half the resolution, because they are soft. */
const step = 2
const reach = 18
/** How much the sun ray falls per step, in levels of height. */
const fall = 5.5

/** Renders the layers as sheets of cut paper in the light of a window. */
export async function cutPaper({ width, height, layers }: Stage, random: SeededRandom): Promise<Uint8Array> {
  const pixels = await drawSvg(layers.map(({ flat }) => flat).join(''), width, height)
  const heights = await drawGreySvg(layers.map(({ relief }) => relief).join(''), width, height)
  const sunX = random.sign() * 0.8
  const shadow = castShadows(heights, width, height, sunX)
  const wide = Math.ceil(width / step)
  const fibres = makeFibres(random)
  const corner = sunX < 0 ? 0.25 : 0.75
  const scale = width / 1600
  const offset = Math.max(1, Math.round(scale))
  for (let y = 0, place = 0; y < height; y += 1) {
    const down = y / step - 0.25
    const top = Math.min(Math.max(0, Math.floor(down)), Math.ceil(height / step) - 2)
    const dy = clamp(down - top)
    const [above, below] = [Math.max(0, y - offset) * width, Math.min(height - 1, y + offset) * width]
    const fromTop = (y / height - 0.2) ** 2
    for (let x = 0; x < width; x += 1, place += 3) {
      const across = x / step - 0.25
      const left = Math.min(Math.max(0, Math.floor(across)), wide - 2)
      const dx = clamp(across - left)
      const at = top * wide + left
      const upper = (shadow[at] ?? 0) * (1 - dx) + (shadow[at + 1] ?? 0) * dx
      const lower = (shadow[at + wide] ?? 0) * (1 - dx) + (shadow[at + wide + 1] ?? 0) * dx
      const dark = upper * (1 - dy) + lower * dy
      const [towards, from] = sunX < 0 ? [x - offset, x + offset] : [x + offset, x - offset]
      // Edges of sheets are lighter on the side of the window.
      const edge =
        (heights[below + Math.min(width - 1, Math.max(0, from))] ?? 0) -
        (heights[above + Math.min(width - 1, Math.max(0, towards))] ?? 0)
      const fibre = fibres[((y & 511) << 9) + (x & 511)] ?? 0
      const light =
        (1.06 - 0.34 * ((x / width - corner) ** 2 + fromTop)) * (1 - dark) +
        clamp(edge * 0.012, -0.1, 0.12) * (1 - dark) +
        fibre
      pixels[place] = clamp((pixels[place] ?? 0) * light, 0, 255)
      pixels[place + 1] = clamp((pixels[place + 1] ?? 0) * (light - dark * 0.01), 0, 255)
      // Shadows are a little bluer, because the sky lights them.
      pixels[place + 2] = clamp((pixels[place + 2] ?? 0) * (light + dark * 0.05), 0, 255)
    }
  }
  return pixels
}

/** How dark each place is, 0 to 1, by shadows from the window and by ambient occlusion. */
function castShadows(heights: Uint8Array, width: number, height: number, sunX: number): Float32Array {
  const [wide, high] = [Math.ceil(width / step), Math.ceil(height / step)]
  const small = new Float32Array(wide * high)
  for (let y = 0, place = 0; y < high; y += 1) {
    const row = Math.min(height - 1, y * step) * width
    for (let x = 0; x < wide; x += 1, place += 1) small[place] = heights[row + Math.min(width - 1, x * step)] ?? 0
  }
  const crowded = small.slice()
  blur(crowded, wide, high, 1, Math.max(2, width / 90))
  const far = width / 1600
  const shadow = new Float32Array(small.length)
  for (let y = 0, place = 0; y < high; y += 1) {
    for (let x = 0; x < wide; x += 1, place += 1) {
      const here = small[place] ?? 0
      let deepest = 0
      for (let walk = 1; walk <= reach; walk += 1) {
        const overX = x + Math.round(walk * sunX * far)
        const overY = y - Math.round(walk * far)
        if (overX < 0 || overY < 0 || overX >= wide) break
        const over = (small[overY * wide + overX] ?? 0) - here - walk * fall
        if (over > deepest) deepest = over
      }
      shadow[place] = deepest > 12 ? 0.4 : deepest * (0.4 / 12)
    }
  }
  blur(shadow, wide, high, 1, Math.max(1, width / 640))
  for (let place = 0; place < shadow.length; place += 1) {
    const hollow = clamp(((crowded[place] ?? 0) - (small[place] ?? 0)) * 0.0028, 0, 0.22)
    shadow[place] = Math.min(0.6, (shadow[place] ?? 0) + hollow)
  }
  return shadow
}

const tile = 512

/** The grain of laid paper. */
function makeFibres(random: SeededRandom): Float32Array {
  const fine = Float32Array.from({ length: tile * tile }, () => random.next() - 0.5)
  const coarse = fine.slice()
  blur(coarse, tile, tile, 1, 2)
  return fine.map((value, place) => value * 0.022 + (coarse[place] ?? 0) * 0.14)
}
