import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest, the longest first; whatever begins last is waited for by all the others. */
const longest = [
  'crash/p1-kill',
  'site/dev',
  'attacks/hostile-chain',
  'media/hosted-narration',
  'http/image',
  'site/two-commands',
  'media/bought-narration',
  'hostile/fuzz-bodies',
  'promises/p4-no-402-when-money-moved',
  'http/publish',
  'http/image-uncharged',
  'site/operator-desk',
  'promises/p3-one-settlement',
  'crash/p6-torn-wal',
  'media/narrate',
  'hostile/bad-requests',
]

/** The projects one after the other, the smaller first, since a worker serves one of them. */
const placeOf = ({ moduleId, project }: TestSpecification): number => {
  if (project.name === 'postgres') return -1
  const place = longest.findIndex((name) => moduleId.endsWith(`tests/${name}.test.ts`))
  return place < 0 ? longest.length : place
}

/** Begins with the tests that take longest, also where no earlier run is known. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
