import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Log, toLogText } from '../core/log.ts'
import { openCoverStudio } from '../images/covers/make-cover.ts'
import { readDeferred } from '../images/deferred-pictures.ts'
import { openDeferredPictures } from '../images/open-deferred-pictures.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'

/** The nice value: lower priority than images that are sold, higher than narrations of posts. */
const drawingNiceness = 15
/** Each thread uses up to 200 MB while it draws. */
const mostThreads = 2

interface Options {
  readonly dataDir: string
  readonly niceness: Config['niceness']
  readonly log: Log
  readonly signal: AbortSignal
}

/**
 * Draws the pictures that builds left to the site, into the data folder: requested ones at once, the others one by one
 * in the background once jobs run here. Two programs draw the same picture identically, so both may draw it.
 */
export function openPictures({ dataDir, niceness, log, signal }: Options) {
  const studio = openCoverStudio({
    threads: Math.min(mostThreads, availableParallelism()),
    niceness: niceness(drawingNiceness),
  })
  // A drawing that is aborted when the site stops is not an error.
  const report = (error: unknown) => {
    if (!signal.aborted) log('server.error', { error: `a picture was not drawn: ${toLogText(error)}` })
  }
  const store = openDeferredPictures({ folder: join(dataDir, 'pictures'), studio, report, now: Date.now, signal })
  let isStarted = false
  let background = Promise.resolve()

  function drawInBackground(): void {
    background = background.then(async () => {
      const drawn = await store.drawAll(signal)
      if (drawn > 0) log('pictures.drawn', { drawn })
    })
  }

  return {
    store,
    /** Draws the pictures of this build from now on. */
    serve(build: Build): void {
      store.expect(readDeferred(buildFiles(build.folder).deferredPictures))
      if (isStarted) drawInBackground()
    },
    /** Call it once the site listens: begins to draw pictures that nobody has requested. */
    start(): void {
      isStarted = true
      background = store.prune().catch(report)
      drawInBackground()
    },
    /** Resolves when nothing is being drawn any more. */
    async close(): Promise<void> {
      await studio.close()
      await background
    },
  }
}
