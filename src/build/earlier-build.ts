import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildFacts, loadBuild } from '../storage/build-folder.ts'

/**
 * The newest finished build that differs from a new one in its posts at most. What is not derived from posts can be
 * taken from it, and so can what is derived from unchanged posts. Call it while holding the build lock, because only
 * the holder of the lock removes builds.
 *
 * @param builds the folder of all builds
 * @param ground the `toGroundKey` of the new build
 */
export function findEarlierBuild(builds: string, ground: string): string | undefined {
  const made = readdirSync(builds, { withFileTypes: true })
    .filter((item) => item.isDirectory() && !item.name.includes('.'))
    .flatMap(({ name }) => {
      const facts = tryToReadFacts(join(builds, name))
      return facts?.ground === ground ? [{ folder: join(builds, name), createdAt: facts.createdAt }] : []
    })
  return made.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]?.folder
}

/** Undefined for a folder that is not a finished build, is damaged, or was written by an older version. */
function tryToReadFacts(folder: string): BuildFacts | undefined {
  try {
    return loadBuild(folder).facts
  } catch {
    return undefined
  }
}
