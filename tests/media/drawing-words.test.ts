import { expect, it } from 'vitest'
import { coverStyles } from '../../src/core/cover-styles.ts'
import { describeDrawing } from '../../src/images/covers/describe-drawing.ts'
import { paintArt } from '../../src/images/covers/paint-art.ts'
import { figure } from '../support/figures.ts'

/** Titles that select a scene, and one that selects an object. */
const titles = ['The sea', 'Mountains', 'A forest', 'The city', 'A planet', 'Bread']
const attempts = figure(1, 3)

it.each(coverStyles.flatMap((style) => titles.map((title) => [style, title] as const)))(
  'gives the alternate text of a picture before it is drawn: %s, %s',
  async (style, title) => {
    const said = describeDrawing(title, '', style)
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const { alt } = await paintArt({ title, excerpt: '', style, width: 160, height: 90, attempt })
      expect(alt.startsWith(said), `${alt}: ${said}`).toBe(true)
    }
  },
)
