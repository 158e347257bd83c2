import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import { type SecurityHeaders, surfaceOf } from './security-headers.ts'

interface Options {
  readonly security: SecurityHeaders
  /** Answers instead of a handler that broke. */
  readonly answerFailure: () => void
}

/**
 * Makes whatever others write to `res` carry the security headers of its surface, and turns a bare 500
 * (a handler that threw: no body, or one line of text) into our own. A header that the handler set stays.
 *
 * @returns gives the response back as it was
 */
export function guardResponse(res: ServerResponse, { security, answerFailure }: Options): () => void {
  const { writeHead, write, end } = res
  const release = (): void => void Object.assign(res, { writeHead, write, end })
  let hasFailed = false
  const fails = (): boolean => {
    hasFailed ||= !res.headersSent && isBareFailure(res.statusCode, String(res.getHeader('content-type') ?? ''))
    return hasFailed
  }
  Object.assign(res, {
    writeHead: (status: number, ...rest: unknown[]): ServerResponse => {
      const given = new Map(toPairs(rest.at(-1)))
      const type = String(given.get('content-type') ?? res.getHeader('content-type') ?? '')
      hasFailed = isBareFailure(status, type)
      if (hasFailed) return res
      release()
      for (const [name, value] of Object.entries(security(surfaceOf(status, type))))
        if (!given.has(name) && !res.hasHeader(name)) res.setHeader(name, value)
      return Reflect.apply(writeHead, res, [status, ...rest])
    },
    write: (...chunk: unknown[]): boolean => fails() || Reflect.apply(write, res, chunk),
    end: (...chunk: unknown[]): ServerResponse => {
      if (!fails()) return Reflect.apply(end, res, chunk)
      release()
      answerFailure()
      return res
    },
  })
  return release
}

const isBareFailure = (status: number, contentType: string): boolean =>
  status === 500 && (contentType === '' || contentType.startsWith('text/plain'))

/** The three shapes of headers that `writeHead` takes: an object, a list of pairs, and one flat list. */
function toPairs(given: unknown): [string, OutgoingHttpHeader][] {
  if (typeof given !== 'object' || given === null) return []
  if (!Array.isArray(given)) return Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])
  const flat: OutgoingHttpHeader[] = given.flat()
  return Array.from({ length: flat.length / 2 }, (_, pair) => [
    String(flat[2 * pair]).toLowerCase(),
    flat[2 * pair + 1] ?? '',
  ])
}
