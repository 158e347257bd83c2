import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import { type SecurityHeaders, surfaceOf } from './security-headers.ts'

interface Options {
  readonly security: SecurityHeaders
  readonly requestId: string
  /** Sends the response of a handler that failed. */
  readonly answerFailure: () => void
}

/**
 * Adds the request id and the security headers of its surface to whatever others write to `res`. When a handler ends in
 * a bare 500, `answerFailure` sends the response instead, under the id of the request. Headers that the handler set
 * take precedence.
 */
export function guardResponse(res: ServerResponse, { security, requestId, answerFailure }: Options): void {
  const { writeHead, write, end } = res
  const release = (): void => void Object.assign(res, { writeHead, write, end })
  let hasFailed = false
  const fails = (): boolean => {
    hasFailed ||= !res.headersSent && isFailure(res.statusCode, String(res.getHeader('content-type') ?? ''))
    return hasFailed
  }
  Object.assign(res, {
    writeHead: (status: number, ...rest: unknown[]): ServerResponse => {
      const own = { ...res.getHeaders(), ...toHeaders(rest.at(-1)) }
      const type = String(own['content-type'] ?? '')
      hasFailed = isFailure(status, type)
      if (hasFailed) return res
      release()
      const headers = { ...security(surfaceOf(status, type)), 'x-request-id': requestId, ...own }
      return typeof rest[0] === 'string' ? res.writeHead(status, rest[0], headers) : res.writeHead(status, headers)
    },
    write: (...chunk: unknown[]): boolean => fails() || Reflect.apply(write, res, chunk),
    end: (...chunk: unknown[]): ServerResponse => {
      if (!fails()) return Reflect.apply(end, res, chunk)
      release()
      answerFailure()
      return res
    },
  })
}

/** Whether this is a 500 that is not one of our problems: Astro's empty response, its page, or one line of text. */
const isFailure = (status: number, contentType: string): boolean =>
  status === 500 && !contentType.startsWith('application/problem+json')

/**
 * Normalizes the three forms that `writeHead` accepts (an object, a list of pairs, one flat list); names become lower
 * case.
 */
function toHeaders(given: unknown): Record<string, OutgoingHttpHeader> {
  if (typeof given !== 'object' || given === null) return {}
  const flat: OutgoingHttpHeader[] = Array.isArray(given) ? given.flat() : Object.entries(given).flat()
  const headers: Record<string, OutgoingHttpHeader> = {}
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const name = String(flat[at]).toLowerCase()
    const [before, value = ''] = [headers[name], flat[at + 1]]
    headers[name] = before === undefined ? value : [before, value].flat().map(String)
  }
  return headers
}
