/**
 * Does work that may take so many milliseconds, unless `stop` ends it first. Work that does not listen to its signal
 * keeps nobody waiting: its late result is dropped. Once the work has ended nothing holds its result or its request:
 * a signal of `AbortSignal.timeout` and its listeners would until the time is up.
 *
 * @throws whatever the work throws; the reason of `stop`; a `TimeoutError` when the time is up
 */
export async function withDeadline<Result>(
  ms: number,
  stop: AbortSignal,
  work: (until: AbortSignal) => Promise<Result>,
): Promise<Result> {
  stop.throwIfAborted()
  const until = new AbortController()
  const onStop = () => until.abort(stop.reason)
  stop.addEventListener('abort', onStop, { once: true })
  const timer = setTimeout(() => until.abort(new DOMException(`not done in ${ms} ms`, 'TimeoutError')), ms).unref()
  try {
    return await new Promise<Result>((resolve, reject) => {
      until.signal.addEventListener('abort', () => reject(until.signal.reason), { once: true })
      work(until.signal).then(resolve, reject)
    })
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', onStop)
  }
}
