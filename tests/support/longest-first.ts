import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The slowest tests, slowest first. They start first, so that the others need not wait for them at the end. The rest
 * follows by size, so that a small file is named here even if others take longer.
 */
const longest = [
  'crash/p1-kill',
  'site/dev',
  'attacks/hostile-chain',
  'site/incremental-build',
  'site/accessibility',
  'media/hosted-narration',
  'http/publish',
  'site/two-commands',
  'http/image',
  'hostile/fuzz-bodies',
  'media/bought-narration',
  'promises/soak',
  'promises/p4-no-402-when-money-moved',
  'spec/marketplace-api',
  'crash/narration',
  'http/image-uncharged',
  'site/operator-desk',
  'http/emails',
  'attacks/drown-honest-buyers',
  'game/recorded-lives',
  'game/pages-browser',
  'http/webhooks',
  'promises/p3-one-settlement',
  'crash/p6-torn-wal',
  'http/refused-settings',
  'media/narrate',
  'hostile/bad-requests',
]

/** The order of the projects, the smaller one first, because a worker serves one project at a time. */
const placeOf = ({ moduleId, project }: TestSpecification): number => {
  if (project.name === 'postgres') return -1
  const place = longest.findIndex((name) => moduleId.endsWith(`tests/${name}.test.ts`))
  return place < 0 ? longest.length : place
}

/** Starts with the slowest tests, even without the results of an earlier run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
