import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Log, toLogText } from '../core/log.ts'
import { openCoverStudio } from '../images/covers/make-cover.ts'
import { readDeferred } from '../images/deferred-pictures.ts'
import { openDeferredPictures } from '../images/open-deferred-pictures.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'

/** Behind what is sold, before what is read aloud. */
const drawingNiceness = 15
/** Each holds up to 200 MB while it paints. */
const mostThreads = 2

interface Options {
  readonly dataDir: string
  readonly niceness: Config['niceness']
  readonly log: Log
  readonly signal: AbortSignal
}

/**
 * Draws the pictures that builds left to the site, into the data folder: what is asked for at once, and the others one
 * by one when jobs run here. What two programs draw of the same picture is the same.
 */
export function openPictures({ dataDir, niceness, log, signal }: Options) {
  const studio = openCoverStudio({
    threads: Math.min(mostThreads, availableParallelism()),
    niceness: niceness(drawingNiceness),
  })
  // A drawing that stops with the site is no fault of it.
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
    /** From now on the pictures of this build are drawn. */
    serve(build: Build): void {
      store.expect(readDeferred(buildFiles(build.folder).deferredPictures))
      if (isStarted) drawInBackground()
    },
    /** Once the site answers: draws what nobody has asked for. */
    start(): void {
      isStarted = true
      background = store.prune().catch(report)
      drawInBackground()
    },
    /** When nothing is drawn any more. */
    async close(): Promise<void> {
      await studio.close()
      await background
    },
  }
}
