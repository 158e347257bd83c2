import { readFileSync, watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { hasCode, writeAtomically } from './write-atomically.ts'

/**
 * The build is a folder name, never a path: programs execute the code of a build, so anybody who can write only to the
 * data folder must not be able to point to a folder elsewhere.
 */
const announcementSchema = z.object({ build: z.string().regex(/^[\w-]+$/), announcedAt: z.iso.datetime() })

const fileName = 'build.json'
/** A folder of its own: watching reports every write in a folder, and the databases are written to all the time. */
const folderOf = (dataDir: string): string => join(dataDir, 'published')

/** Polling interval (ms), for file systems that do not report changes. */
const lookEveryMs = 3000

/** Tells the sites that use a data folder that a build is finished. They see the whole announcement or none of it. */
export async function announceBuild(dataDir: string, buildFolder: string): Promise<void> {
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 })
  const announcement = { build: basename(buildFolder), announcedAt: new Date().toISOString() }
  await writeAtomically(join(folderOf(dataDir), fileName), JSON.stringify(announcement), { mode: 0o600 })
}

interface Listener {
  /** An earlier result of `readAnnouncement`, which is not reported again. */
  readonly before: string | undefined
  /** Called with the folder name of the build. */
  readonly onBuild: (name: string) => void
  /** Called with the reason why an announcement cannot be read. */
  readonly onFault: (error: unknown) => void
}

/**
 * Watches for announcements: at once where the file system reports changes, by polling within seconds elsewhere.
 *
 * @returns a function that stops watching
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
      fault = ''
    } catch (error) {
      // Once the file can be read again, its announcement is reported, even if it is the earlier one.
      seen = undefined
      // A fault that persists is reported once, and not at every poll.
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

/** Some file systems report no changes, and a system may have no watchers left: there, polling has to suffice. */
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
 * The last announcement in a data folder, as text for comparison; undefined when there is none, or when the folder
 * cannot be read: opening the databases then fails with a better message.
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
