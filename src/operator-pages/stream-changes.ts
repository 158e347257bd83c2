import type { ChangeWatch } from '../operator/watch-changes.ts'
import { privateHeaders } from './frame.ts'
import type { Asked, OperatorDoor } from './operator-door.ts'

const beatEveryMs = 4000
/** A stream keeps the build in use that it began with, so it is ended; browsers reconnect by themselves. */
const longestMs = 5 * 60 * 1000

interface Options {
  readonly changes: ChangeWatch
  readonly isIn: OperatorDoor['isIn']
  /** Ends all streams, which would keep a stopping server waiting. */
  readonly signal: AbortSignal
}

/**
 * Tells a page by server-sent events that something has changed since it was made, without data: the page then requests
 * itself again with its session.
 */
export const makeStreamChanges =
  ({ changes, isIn, signal }: Options) =>
  async ({ req, res, fields }: Asked): Promise<void> => {
    res.writeHead(200, { ...privateHeaders, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    // If the client left while its session was looked up, `close` was emitted already and would not clean up below.
    if (req.method === 'HEAD' || signal.aborted || res.closed) {
      res.end()
      return
    }
    /** Checks that were running when the stream ended must not write to it. */
    const write = (text: string): void => {
      if (!res.writableEnded) res.write(text)
    }
    write('retry: 1000\n\n')
    const tell = (): void => write('event: change\ndata: now\n\n')
    const stopWatching = changes.watch(tell)
    const end = (): void => void res.end()
    const beat = setInterval(() => {
      isIn(req).then((isStillIn) => (isStillIn ? write(':\n\n') : end()), end)
    }, beatEveryMs)
    const last = setTimeout(end, longestMs)
    signal.addEventListener('abort', end, { once: true })
    res.once('close', () => {
      stopWatching()
      clearInterval(beat)
      clearTimeout(last)
      signal.removeEventListener('abort', end)
    })
    if (fields.get('since') !== (await changes.mark())) tell()
  }
