import { coverStyles } from '../../src/core/cover-styles.ts'
import type { AspectRatio } from '../../src/images/covers/cover.ts'
import { openCoverStudio } from '../../src/images/covers/make-cover.ts'
import type { Row, Sample } from '../row.ts'

const ratios: readonly AspectRatio[] = ['16:9', '1:1', '4:3']
const titles = ['The smallest honest shop', 'Fog over the northern sea', 'How a mountain is measured']
const kinds = coverStyles.flatMap((style) => ratios.map((aspectRatio) => ({ style, aspectRatio })))
const nameOf = ({ style, aspectRatio }: (typeof kinds)[number]): string => `${style}, ${aspectRatio}`

/** How long the embedded engine draws. */
export const images: Row = {
  title: 'Images',
  meaning: `One image by the embedded engine, from the title to the JPEG, in one worker that is warm; the mean over ${titles.length} titles. The review that follows and the way through the shop are not in it. Three rounds.`,
  measures: kinds.map((kind) => ({ name: nameOf(kind), unit: 'ms', digits: 0 })),
  goals: [],
  mostRounds: 3,
  async start({ started }) {
    const studio = openCoverStudio({ threads: 1 })
    started.defer(studio.close)
    const draw = async (): Promise<Sample> => {
      const sample: Record<string, number> = {}
      for (const kind of kinds) {
        const from = performance.now()
        for (const title of titles) await studio.makeCover({ title, ...kind })
        sample[nameOf(kind)] = (performance.now() - from) / titles.length
      }
      return sample
    }
    return { ours: draw, peers: {} }
  },
}
