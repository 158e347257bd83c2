import { type CoverStyle, coverStyles } from '../../src/core/cover-styles.ts'
import { type AspectRatio, sizeOf } from '../../src/images/covers/cover.ts'
import { cover } from '../../src/images/covers/cover-worker.ts'
import type { Measure, Row, Sample } from '../row.ts'

const ratios: readonly AspectRatio[] = ['16:9', '1:1', '4:3']
const titles = ['The smallest honest shop', 'Fog over the northern sea', 'How a mountain is measured']
const kinds = coverStyles.flatMap((style) => ratios.map((aspectRatio) => ({ style, aspectRatio })))
type Kind = (typeof kinds)[number]
const nameOf = ({ style, aspectRatio }: Kind): string => `${style}, ${aspectRatio}`

/** What a picture of 1600×900 may take: the covers of a thousand posts are drawn by this engine. */
const mostMs: Readonly<Record<CoverStyle, number>> = { 'editorial-minimal': 200, illustration: 600, photographic: 1000 }

function toMeasure(kind: Kind): Measure {
  const measure = { name: nameOf(kind), unit: 'ms', digits: 0 }
  return kind.aspectRatio === '16:9' ? { ...measure, limit: { is: 'at most', figure: mostMs[kind.style] } } : measure
}

/** Milliseconds of all threads of this process, which is where libvips works, too. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function draw({ style, aspectRatio }: Kind): Promise<number> {
  const [width, height] = sizeOf({ aspectRatio })
  const from = processorMs()
  for (const title of titles)
    await cover({ title, excerpt: '', style, width, height, lettering: { title }, attempt: 0 })
  return (processorMs() - from) / titles.length
}

/** What the embedded engine takes to draw. */
export const images: Row = {
  title: 'Images',
  meaning: `Processor time of one image by the embedded engine, from the title to the JPEG, once it is warm; the mean over ${titles.length} titles. The review that follows and the way through the shop are not in it. Three rounds.`,
  measures: kinds.map(toMeasure),
  goals: [],
  mostRounds: 3,
  async start() {
    for (const kind of kinds) await draw(kind)
    const ours = async (): Promise<Sample> => {
      const sample: Record<string, number> = {}
      for (const kind of kinds) sample[nameOf(kind)] = await draw(kind)
      return sample
    }
    return { ours, peers: {} }
  },
}
