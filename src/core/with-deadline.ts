/**
 * Runs work for at most `ms` milliseconds, or until `stop` is aborted. The caller does not wait for work that ignores
 * its signal: the late result is dropped. After the work has ended nothing keeps its result or its request in memory;
 * `AbortSignal.timeout` and its listeners would do so until the time is up.
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
