import { close, open, read } from 'node:fs'
import type { ServerResponse } from 'node:http'

/** The size of one read in bytes: twice that of Node's streams, which halves the number of reads. */
const pieceBytes = 128 * 1024
/** How many buffers are kept for later streams: new ones would be most of the memory to be collected. */
const mostKept = 16
const kept: Buffer[] = []

interface Part {
  readonly start: number
  /** The last byte, inclusive. */
  readonly end: number
  /** Aborts the stream and closes the connection. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a part of a file as the body of a response whose head is written. One buffer goes back and forth between file
 * and socket, so a slow reader takes no more memory than that.
 *
 * When the reader leaves, the file is closed. When the file cannot be read or is shorter than expected, the connection
 * is closed: an incomplete response must not look complete.
 */
export function streamFile(res: ServerResponse, path: string, { start, end, signal }: Part): void {
  const breakOff = (): void => {
    res.destroy()
  }
  if (signal?.aborted) {
    breakOff()
    return
  }
  open(path, (failure, file) => {
    if (failure) return breakOff()
    const piece = kept.pop() ?? Buffer.allocUnsafeSlow(pieceBytes)
    let at = start
    let isBusy = false
    let isOver = false

    function finish(): void {
      if (isOver) return
      isOver = true
      // While a read is going on, its file must stay open and its buffer must not be reused.
      if (!isBusy) release()
    }
    function release(): void {
      signal?.removeEventListener('abort', breakOff)
      close(file, () => {})
    }
    function readOn(): void {
      isBusy = true
      read(file, piece, 0, Math.min(pieceBytes, end + 1 - at), at, (error, bytes) => {
        isBusy = false
        if (isOver) return release()
        if (error || bytes === 0) return breakOff()
        at += bytes
        const isLast = at > end
        res.write(piece.subarray(0, bytes), (unsent) => {
          if (unsent || isOver) return
          if (!isLast) return readOn()
          // Only a buffer that was sent completely can be reused.
          if (kept.length < mostKept) kept.push(piece)
          res.end()
        })
      })
    }
    signal?.addEventListener('abort', breakOff, { once: true })
    res.once('close', finish)
    if (res.destroyed) finish()
    else readOn()
  })
}
