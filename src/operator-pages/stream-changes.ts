import type { ChangeWatch } from '../operator/watch-changes.ts'
import { privateHeaders } from './frame.ts'
import type { Asked, OperatorDoor } from './operator-door.ts'

const beatEveryMs = 4000
/** A stream holds the build that it began under; browsers begin another by themselves. */
const longestMs = 5 * 60 * 1000

interface Options {
  readonly changes: ChangeWatch
  readonly isIn: OperatorDoor['isIn']
  /** Breaks off streams that would keep a stopping server waiting. */
  readonly signal: AbortSignal
}

/**
 * Tells a page that something changed since it was made (server-sent events), and nothing of what: the page asks anew,
 * signed in as it is.
 */
export const makeStreamChanges =
  ({ changes, isIn, signal }: Options) =>
  async ({ req, res, fields }: Asked): Promise<void> => {
    res.writeHead(200, { ...privateHeaders, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    // Who went away while it was looked up whether they are signed in is heard of no more.
    if (req.method === 'HEAD' || signal.aborted || res.closed) {
      res.end()
      return
    }
    /** What was under way when the stream ended says nothing more on it. */
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
