import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { toLogText } from '../core/log.ts'
import { buildFiles } from './build-folder.ts'
import { isAlive } from './lease-owner.ts'

/** Builds that stay although nobody uses them: the last one, and the one to go back to. */
const keptBuilds = 2
const pinsFolder = (builds: string): string => join(builds, 'pins')

/** How often this process uses each of its builds. */
const uses = new Map<string, number>()

/**
 * Says that this process uses a build, so that no other removes it. Holds until the process ends, or until all that
 * pinned it have called what they were given.
 */
export function pinBuild(folder: string): () => void {
  const pins = pinsFolder(dirname(folder))
  const pin = join(pins, `${basename(folder)}.${process.pid}`)
  mkdirSync(pins, { recursive: true })
  writeFileSync(pin, '')
  uses.set(pin, (uses.get(pin) ?? 0) + 1)
  return () => {
    const left = (uses.get(pin) ?? 0) - 1
    uses.set(pin, left)
    if (left === 0) rmSync(pin, { force: true })
  }
}

/**
 * The same where this process may not write: then nobody who runs as it removes anything, and others cannot be told.
 *
 * @param say hears of that
 */
export function tryToPinBuild(folder: string, say: (note: string) => void): () => void {
  try {
    return pinBuild(folder)
  } catch (error) {
    say(`${folder} is in use, and others cannot be told: ${toLogText(error)}`)
    return () => {}
  }
}

/**
 * Removes finished builds that nobody uses, except the newest two, and what builders that died left behind.
 * To be called by the holder of the build lock; at once no build is one of them any more.
 *
 * @returns a promise of their files being gone, which thousands of them take seconds for
 */
export async function pruneBuilds(builds: string): Promise<void> {
  const pinned = new Set(livePins(builds))
  const names = readdirSync(builds, { withFileTypes: true })
    .filter((item) => item.isDirectory() && item.name !== basename(pinsFolder(builds)))
    .map(({ name }) => name)
  const finished = names
    .flatMap((name) => {
      const facts = statSync(buildFiles(join(builds, name)).facts, { throwIfNoEntry: false })
      return facts && !name.includes('.') ? [{ name, finishedAt: facts.mtimeMs }] : []
    })
    .sort((a, b) => b.finishedAt - a.finishedAt)
  const kept = new Set([...finished.slice(0, keptBuilds).map(({ name }) => name), ...pinned])
  const gone = names.filter((name) => !kept.has(name)).map((name) => putAway(join(builds, name)))
  await Promise.all(gone.map((folder) => rm(folder, { recursive: true, force: true })))
}

/** Out of the way in one step: a half-removed build must not look finished. */
function putAway(folder: string): string {
  if (folder.endsWith('.gone')) return folder
  const gone = `${folder}.gone`
  rmSync(gone, { recursive: true, force: true })
  renameSync(folder, gone)
  return gone
}

function livePins(builds: string): string[] {
  const pins = pinsFolder(builds)
  mkdirSync(pins, { recursive: true })
  return readdirSync(pins).flatMap((pin) => {
    const dot = pin.lastIndexOf('.')
    if (isAlive(Number(pin.slice(dot + 1)))) return [pin.slice(0, dot)]
    rmSync(join(pins, pin), { force: true })
    return []
  })
}
