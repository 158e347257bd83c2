import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import siteConfig from '../../site.config.ts'
import type { Config } from '../config/config.ts'
import { openSpeechEngine } from '../narration/engines/open-speech-engine.ts'
import { readPostsToNarrate } from '../narration/episodes/posts-to-narrate.ts'
import { runMediaScan } from '../site/media-scan-work.ts'
import { openEpisodes } from '../site/open-narration.ts'
import { openStorage } from '../site/open-storage.ts'
import { openLedgerDatabase } from '../storage/open-ledger-database.ts'
import { toPostLine } from './post-line.ts'

interface Options {
  readonly privateFolder: string
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'storage' | 'secret' | 'engines'>
  /** The slug of the only post to narrate. */
  readonly only: string | undefined
  readonly say: (line: string) => void
  readonly onProgress: (slug: string, done: number, of: number) => void
  readonly signal: AbortSignal
}

/**
 * Runs the narration job of the site in the foreground and on every core. A running site plays the results within
 * seconds.
 *
 * @throws Error with one sentence when another process narrates, a post failed, or the signal aborted it
 */
export async function narrateHere(options: Options): Promise<void> {
  const { privateFolder, config, only, say, onProgress, signal } = options
  const dataDir = resolve(config.dataDir)
  const db = await openLedgerDatabase(join(dataDir, 'ledger.db'), config.databaseUrl())
  const engine = openSpeechEngine(config.engines.voice)
  const store = await openEpisodes(
    { dataDir, storage: await openStorage(config, db) },
    readPostsToNarrate(privateFolder, { album: siteConfig.name, engine }),
  )
  try {
    const outcome = await runMediaScan({
      db,
      store,
      privateFolder,
      engine,
      signal,
      threads: availableParallelism(),
      niceness: 0,
      ...(only !== undefined && { only }),
      onProgress,
      onPost: (post) => say(toPostLine(post)),
    })
    switch (outcome.is) {
      case 'busy': {
        const [, pid] = outcome.owner.split('/')
        throw new Error(
          `another process (${pid ?? 'unknown'}) is narrating already; its narrations can be heard as they are finished`,
        )
      }
      case 'lost':
        throw new Error('another process has taken over')
      case 'failed':
        throw outcome.error
      case 'stopped':
        throw new Error('stopped; the next run continues from here')
      case 'ran':
        if (outcome.result.some(({ state }) => state === 'failed')) throw new Error('not every post could be narrated')
    }
  } finally {
    store.close()
    await db.destroy()
  }
}
