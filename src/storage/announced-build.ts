import { readFileSync, watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { hasCode, writeAtomically } from './write-atomically.ts'

/**
 * A folder name and no path: programs run what lies in a build, so that who can write the data folder alone must not
 * be able to name another place.
 */
const announcementSchema = z.object({ build: z.string().regex(/^[\w-]+$/), announcedAt: z.iso.datetime() })

const fileName = 'build.json'
/** Of its own: the system tells of every write beside a watched file, and databases are written all the time. */
const folderOf = (dataDir: string): string => join(dataDir, 'published')

/** How soon an announcement is noticed where the system does not tell of it. */
const lookEveryMs = 3000

/** Tells the sites that use a data folder that a build is finished. They see the whole announcement or none of it. */
export async function announceBuild(dataDir: string, buildFolder: string): Promise<void> {
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 })
  const announcement = { build: basename(buildFolder), announcedAt: new Date().toISOString() }
  await writeAtomically(join(folderOf(dataDir), fileName), JSON.stringify(announcement), { mode: 0o600 })
}

interface Listener {
  /** What `readAnnouncement` said before; it is not news. */
  readonly before: string | undefined
  /** Given the name of the folder of a build. */
  readonly onBuild: (name: string) => void
  /** Given why an announcement cannot be read. */
  readonly onFault: (error: unknown) => void
}

/**
 * Notices announcements at once where the system tells of changed files, and within seconds where it does not.
 *
 * @returns ends it
 */
export async function watchAnnouncements(dataDir: string, { before, onBuild, onFault }: Listener): Promise<() => void> {
  const folder = folderOf(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let seen = before
  let fault = ''

  function look(): void {
    try {
      const text = readText(dataDir)
      if (text === undefined || text === seen) return
      seen = text
      onBuild(announcementSchema.parse(JSON.parse(text)).build)
    } catch (error) {
      // When it can be read again, it is news.
      seen = undefined
      // One that lasts is told of once.
      if (String(error) !== fault) onFault(error)
      fault = String(error)
    }
  }

  look()
  const timer = setInterval(look, lookEveryMs).unref()
  const stopWatching = watchFolder(folder, look)
  return () => {
    clearInterval(timer)
    stopWatching()
  }
}

/** Some file systems tell of nothing, and a system may have no watchers left: looking now and then has to do there. */
function watchFolder(folder: string, onChange: () => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, onChange)
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    return () => {}
  }
}

/**
 * The last announcement in a data folder, as text that can be compared; undefined when there is none, or when nothing
 * can be read there, of which the databases tell better.
 */
export function readAnnouncement(dataDir: string): string | undefined {
  try {
    return readText(dataDir)
  } catch {
    return undefined
  }
}

function readText(dataDir: string): string | undefined {
  try {
    return readFileSync(join(folderOf(dataDir), fileName), 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
