import { close, open, read } from 'node:fs'
import type { ServerResponse } from 'node:http'

/** Read at once. Twice what streams of Node.js take: half as many ways to the disk and back. */
const pieceBytes = 128 * 1024
/** How many pieces are kept for the next stream: fresh ones are most of the memory that would have to be collected. */
const mostKept = 16
const kept: Buffer[] = []

interface Part {
  readonly start: number
  /** Included. */
  readonly end: number
  /** Breaks it off, and the connection with it. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a part of a file as the rest of an answer whose head is written. One piece of memory goes back and forth between
 * the file and the socket, so that a reader who is slow holds no more than that.
 *
 * When the reader goes away in the middle the file is closed; when the file fails, or is shorter than it was, the
 * connection is: half an answer must not look like a whole one.
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
      // What is being read into may not be given away, nor its file be closed.
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
          // Only a piece that was sent whole is nobody's any more.
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
