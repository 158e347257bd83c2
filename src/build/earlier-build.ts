import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildFacts, loadBuild } from '../storage/build-folder.ts'

/**
 * The newest finished build that differs from a new one in its posts at most. What does not follow from them can be
 * taken from it, and what does follow from them where they are the same. To be asked by the holder of the build lock,
 * because nobody else removes builds.
 *
 * @param builds the folder of all builds
 * @param ground what `toGroundKey` says of the new one
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

/** Nothing of a folder that is no finished build, is damaged, or was written by a version of before. */
function tryToReadFacts(folder: string): BuildFacts | undefined {
  try {
    return loadBuild(folder).facts
  } catch {
    return undefined
  }
}
