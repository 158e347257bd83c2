import type { EventEmitter } from 'node:events'
import { readdirSync, type Stats, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

interface Options {
  /** Vite's watcher, which emits `all` with the kind of change and the path, and the kind with the path. */
  readonly watcher: EventEmitter
  /** The files and folders to look at, as absolute paths; one that does not exist counts as empty. */
  readonly places: readonly string[]
  /** Told why files cannot be looked at, such as a folder without read permission. */
  readonly onError: (error: unknown) => void
}

/** How long after a change files are looked at: long enough for a watcher that is not late. */
const restMs = 1000
/** Files that editors write beside those being edited. */
const isOfEditor = (name: string): boolean => name.startsWith('.') || name.endsWith('~')

const statOf = (file: string): Stats | undefined => statSync(file, { throwIfNoEntry: false })
const versionOf = ({ ino, size, mtimeMs }: Stats): string => `${ino} ${size} ${mtimeMs}`

/** The files at places and below them, also behind links to folders. */
function filesOf(places: readonly string[]): string[] {
  return places.flatMap((place) => {
    const stats = statOf(place)
    if (!stats?.isDirectory()) return stats ? [place] : []
    return readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((item) => !item.isDirectory() && !isOfEditor(item.name))
      .map((item) => join(item.parentPath, item.name))
  })
}

/**
 * Emits the changes that a file watcher has missed: chokidar, which Vite brings with it, loses what changes in a folder
 * while its listing takes longer than a second, as it does on a busy machine, and a second change of a file within
 * 50 ms. It loses them only beside changes that it emits, so files are looked at after those, and once by `look`,
 * because changes before the watcher is ready have no event either.
 */
export function emitMissedChanges({ watcher, places, onError }: Options) {
  /** The version of each file for which there is an event, or that was there before. */
  const told = new Map<string, string>()
  let rest: NodeJS.Timeout | undefined

  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      onError(error)
    }
  }
  const emit = (event: 'add' | 'change' | 'unlink', file: string, stats?: Stats): void => {
    watcher.emit(event, file, stats)
    watcher.emit('all', event, file, stats)
  }
  function lookNow(): void {
    const listed = new Set(filesOf(places))
    for (const file of listed) {
      const [stats, before] = [statOf(file), told.get(file)]
      if (stats?.isFile() && versionOf(stats) !== before) emit(before === undefined ? 'add' : 'change', file, stats)
    }
    // Files of editors are there without being listed.
    for (const file of told.keys()) if (!listed.has(file) && !statOf(file)) emit('unlink', file)
  }
  /** Looks at all files a second after the last call. */
  function look(): void {
    clearTimeout(rest)
    rest = setTimeout(() => attempt(lookNow), restMs)
    rest.unref()
  }

  attempt(() => {
    for (const file of filesOf(places)) {
      const stats = statOf(file)
      if (stats) told.set(file, versionOf(stats))
    }
  })
  watcher.on('all', (_event, path) => {
    const file = resolve(path)
    if (!places.some((place) => file === place || file.startsWith(place + sep))) return
    attempt(() => {
      // The version before anyone who is told of the change can read the file: a later one differs.
      const stats = statOf(file)
      if (stats?.isFile()) told.set(file, versionOf(stats))
      else told.delete(file)
    })
    look()
  })
  return { look }
}
