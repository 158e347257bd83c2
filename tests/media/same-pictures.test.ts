import { expect, it } from 'vitest'
import type { CoverStyle } from '../../src/core/cover-styles.ts'
import { sha256 } from '../../src/core/sha256.ts'
import { paintArt } from '../../src/images/covers/paint-art.ts'

/** Scenes that our own code paints pixel by pixel, without a library whose next version may draw differently. */
const scenes: readonly (readonly [style: CoverStyle, title: string, scene: string, digest: string])[] = [
  ['illustration', 'Waves of the sea', 'waves', '75ca1a7806db3c9b'],
  ['illustration', 'How a mountain is measured', 'landscape', '1605df79f26befd0'],
  ['illustration', 'The forest path', 'landscape', 'dffa028dc7634fc0'],
  ['illustration', 'A night in the city', 'city', '8a4aaf5500c4dac5'],
  ['illustration', 'Orbits of a planet', 'orbits', 'eca2cdbe67af0067'],
  ['photographic', 'Fog over the northern sea', 'sea', '7b72b249d96ca016'],
  ['photographic', 'How a mountain is measured', 'mountain', 'f930701f7ced0c18'],
  ['photographic', 'A forest', 'forest', 'c0f2e89114125d47'],
  ['photographic', 'A night in the city', 'city lights', 'a1fa5e9c93380813'],
]

// Posts keep their pictures from release to release. To change a picture on purpose, change its digest here.
it.each(scenes)('paints the same picture as before: %s, %s', async (style, title, scene, digest) => {
  const art = await paintArt({ title, excerpt: '', style, width: 480, height: 270, attempt: 0 })
  expect([art.scene, sha256(art.pixels).slice(0, digest.length)]).toEqual([scene, digest])
})
