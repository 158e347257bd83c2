import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { toLogText } from '../core/log.ts'
import { buildFiles } from './build-folder.ts'
import { isAlive } from './lease-owner.ts'

/** How many builds stay although no process uses them: the newest one, and the one before it, for a rollback. */
const keptBuilds = 2
const pinsFolder = (builds: string): string => join(builds, 'pins')

/** How many users each pin file of this process has. */
const uses = new Map<string, number>()

/**
 * Marks a build as used by this process, so that no other process removes it.
 *
 * @returns a function that ends this use. The build stays pinned until the last of its users within this process has
 * called theirs, or the process ends
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
 * Like `pinBuild`, but goes on where this process may not write: then processes of its user cannot remove builds
 * either, and those of other users cannot be told that the build is in use.
 *
 * @param say called with a note when the build could not be pinned
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
 * Removes finished builds that no process uses, except the newest two, and what crashed builders left behind.
 * Only the holder of the build lock may call it. All of them are renamed before it returns, so none looks like a build.
 *
 * @returns a promise that resolves once their files are deleted, which takes seconds for thousands of files
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

/** Renames a build out of the way in one step, because a half-removed build must not look finished. */
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
