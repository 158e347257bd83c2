import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadBuild, readBuildFacts } from '../storage/build-folder.ts'

/**
 * The newest finished build that differs from a new one in its posts at most. What is not derived from posts can be
 * taken from it, and so can what is derived from unchanged posts. Call it while holding the build lock, because only
 * the holder of the lock removes builds.
 *
 * @param builds the folder of all builds
 * @param ground the ground key of the new build
 */
export const findEarlierBuild = (builds: string, ground: string): string | undefined =>
  readdirSync(builds, { withFileTypes: true })
    .filter((item) => item.isDirectory() && !item.name.includes('.'))
    .flatMap(({ name }) => {
      const folder = join(builds, name)
      const facts = unlessDamaged(() => readBuildFacts(folder))
      return facts?.ground === ground ? [{ folder, createdAt: facts.createdAt }] : []
    })
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    // The list of files is long, so that it is read of one build only where that is undamaged.
    .find(({ folder }) => unlessDamaged(() => loadBuild(folder)))?.folder

/** Undefined for a folder that is not a finished build, is damaged, or was written by an older version. */
function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
