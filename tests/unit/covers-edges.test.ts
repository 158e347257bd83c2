import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Composition, Region } from '../../src/images/covers/minimal/composition.ts'
import { arcs, blocks, disc, halftone, ridges } from '../../src/images/covers/minimal/compositions.ts'
import { thingPrint } from '../../src/images/covers/minimal/things.ts'
import { seededRandom } from '../../src/images/covers/seeded-random.ts'
import { pickScheme } from '../../src/images/covers/things/schemes.ts'
import { setStage } from '../../src/images/covers/things/stage.ts'
import { toSvg } from '../../src/images/covers/things/thing-svg.ts'
import { abstracts } from '../../src/images/motifs/abstracts.ts'
import { motifNames, motifs } from '../../src/images/motifs/motifs.ts'

const inks = { paper: '#ffffff', ink: '#000000', accent: '#ff0000', tint: '#888888' }
const things = [...motifNames.map((name) => motifs[name]), ...abstracts]

/** The bounding box of everything drawn on white. */
async function boxOf(body: string, width: number, height: number) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#ffffff"/>${body}</svg>`
  const pixels = await sharp(Buffer.from(svg)).greyscale().raw().toBuffer()
  const box = { left: width, top: height, right: 0, bottom: 0 }
  for (let y = 0, place = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, place += 1) {
      if ((pixels[place] ?? 255) > 250) continue
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x + 1)
      box.top = Math.min(box.top, y)
      box.bottom = Math.max(box.bottom, y + 1)
    }
  }
  return box
}

/** The regions beside a title and above one. */
const beside: Region = { left: 192, top: 0, width: 128, height: 180, spansWidth: false }
const above: Region = { left: 0, top: 0, width: 200, height: 92, spansWidth: true }

async function expectWithin(compose: Composition, seed: string) {
  const side = await boxOf(compose({ random: seededRandom(seed), inks, region: beside }), 320, 180)
  expect(side.left).toBeGreaterThanOrEqual(beside.left - 1)
  const head = await boxOf(compose({ random: seededRandom(seed), inks, region: above }), 200, 200)
  expect(head.bottom).toBeLessThanOrEqual(above.height + 1)
}

describe('a drawing cuts no shape at an inner edge', () => {
  it.each(Object.entries({ arcs, blocks, disc, halftone, ridges }))('in the composition %s', async (_, compose) => {
    for (let seed = 0; seed < 8; seed += 1) await expectWithin(compose, `${seed}`)
  })

  it('in any motif', async () => {
    for (const [place, thing] of things.entries()) await expectWithin(thingPrint(thing), `${place}`)
  })
})

it('every motif stays within its square', async () => {
  for (const thing of things) {
    const { left, top, right, bottom } = await boxOf(
      toSvg(thing, { x: 70, y: 70, size: 100 }, () => '#000000'),
      140,
      140,
    )
    expect([thing.alt, Math.min(left, top, 140 - right, 140 - bottom) >= 16]).toEqual([thing.alt, true])
    expect([thing.alt, Math.max(right - left, bottom - top) > 70]).toEqual([thing.alt, true])
  }
})

it.each([
  [1600, 900],
  [1400, 1400],
  [1440, 1080],
])('every motif is whole in a picture of %i × %i, in any scene', (width, height) => {
  const random = seededRandom('stages')
  for (const thing of things) {
    const { layers } = setStage(thing, pickScheme(thing.tone, random), { width, height }, random)
    const placed = [
      ...layers
        .map(({ flat }) => flat)
        .join('')
        .matchAll(/translate\(([\d.-]+) ([\d.-]+)\) scale\(([\d.]+)\)/g),
    ]
    expect(placed.length).toBeGreaterThan(0)
    for (const [, x, y, unit] of placed) {
      const [left, top, side] = [Number(x), Number(y), Number(unit) * 100]
      expect(Math.min(left, top, width - left - side, height - top - side)).toBeGreaterThanOrEqual(0)
    }
  }
})
