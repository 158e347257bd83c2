import { z } from 'zod'
import { type CoverStyle, coverStyles } from '../../src/core/cover-styles.ts'
import type { AspectRatio } from '../../src/images/covers/cover.ts'
import type { Measure, Row, Sample } from '../row.ts'
import { startProgram } from '../start-peer.ts'

const ratios: readonly AspectRatio[] = ['16:9', '1:1', '4:3']
const titles = ['The smallest honest shop', 'Fog over the northern sea', 'How a mountain is measured']
const kinds = coverStyles.flatMap((style) => ratios.map((aspectRatio) => ({ style, aspectRatio })))
type Kind = (typeof kinds)[number]
const nameOf = ({ style, aspectRatio }: Kind): string => `${style}, ${aspectRatio}`

/** Most ms for a picture of 1600×900, because this engine draws the covers of a thousand posts. */
const mostMs: Readonly<Record<CoverStyle, number>> = { 'editorial-minimal': 200, illustration: 600, photographic: 1000 }

function toMeasure(kind: Kind): Measure {
  const measure = { name: nameOf(kind), unit: 'ms', digits: 0 }
  return kind.aspectRatio === '16:9' ? { ...measure, limit: { is: 'at most', figure: mostMs[kind.style] } } : measure
}

const drawn = z.object({ ms: z.number() })

/** Causes for pictures that exceed their limit, by style. */
const whereMillisecondsGo: Readonly<Record<CoverStyle, string>> = {
  'editorial-minimal':
    'Light and grain of the paper, for each pixel, are a quarter of it, and the drawing by libvips and the JPEG are most of the rest. Tried, in turns in one process on a slow machine, 2026-11-26: what a row or a column has in common worked out once 0.88 of the time in 24 pictures and 1.15 in 60; then, old and new in processes of their own, that, grain without a call for each, and the channels without a loop, 0.76 to 0.85, which is in.',
  illustration:
    'Millions of dots are inked one by one, and then developed. Tried, in turns in one process on a slow machine, 2026-11-26, over the same bytes: no arrays for numbers that are worked out for each pixel, 0.92 to 0.99 of the time; then, old and new in processes of their own, on a busy machine: hills and waves are inked plainly only where their edge is, and with their shade below it, with the steepness of an edge worked out once for each column, 0.86 and 0.85; folds of hills only from the highest place of each on, and the light towards the corners once for both halves of a row when developing, 0.69 and 0.70 with the former. All of that is in.',
  photographic:
    'Water, ground and shadows are worked out pixel by pixel from noise and waves. Tried, in turns in one process on a slow machine, 2026-11-26, over the same bytes: no arrays for numbers in noise, waves of the sea and heights of the land 0.89 of the time; none in mirrors, columns of land and shadows of paper another 0.92. Both are in, and together 0.86. Then, old and new in processes of their own, on a busy machine: drops of rain that wear the land without arrays and with the heights around them read once, and columns of land without arrays, 0.88 for mountains; waves of the sea without a call for each, and the light towards the corners once for both halves of a row when developing, 0.79 for the sea and 0.81 for mountains with the former. These are in, too.',
}
const profileOf: Readonly<Record<CoverStyle, Readonly<Record<string, number>>>> = {
  'editorial-minimal': {
    'light and grain of the paper': 27,
    'compiling our code': 6,
    'garbage collection': 4,
    'the rest': 63,
  },
  illustration: {
    'inking dots': 25,
    developing: 13,
    'garbage collection': 7,
    'values between points of a grid': 4,
    'the rest': 51,
  },
  photographic: {
    'the sea': 17,
    noise: 11,
    'garbage collection': 11,
    'mountains and their lakes': 18,
    developing: 6,
    paper: 6,
    'the rest': 31,
  },
}

/** The processor time that the embedded engine takes for a picture. */
export const images: Row = {
  title: 'Images',
  meaning: `Processor time of one image by the embedded engine in a process of its own, from the title to the JPEG, once it is warm; the mean over ${titles.length} titles. The review that follows and the way through the shop are not in it. Three rounds.`,
  measures: kinds.map(toMeasure),
  goals: [],
  causes: coverStyles.map((style) => ({
    measure: nameOf({ style, aspectRatio: '16:9' }),
    because: whereMillisecondsGo[style],
    profile: {
      of: 'nine pictures of 1600×900 in our code, without what libvips does in threads of its own, by --cpu-prof, on a slow machine, 2026-11-26',
      percent: profileOf[style],
    },
  })),
  mostRounds: 3,
  async start(bench) {
    const { ask } = startProgram(bench, new URL('../draw-pictures.ts', import.meta.url))
    const draw = async (kind: Kind): Promise<number> => drawn.parse(await ask({ ...kind, titles })).ms
    for (const kind of kinds) await draw(kind)
    const ours = async (): Promise<Sample> => {
      const sample: Record<string, number> = {}
      for (const kind of kinds) sample[nameOf(kind)] = await draw(kind)
      return sample
    }
    return { ours, peers: {} }
  },
}
