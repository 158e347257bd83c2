import { type ExchangeOptions, exchange } from './exchange.ts'

/** The error for a response that cannot be used. Its `cause` is for the log only. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  /** The status of the response; undefined where none came. */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { status: number | undefined; cause: unknown }) {
    super(message, { cause })
    this.status = status
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses JSON in UTF-8. */
export const parseJson = (body: Buffer): unknown => JSON.parse(utf8.decode(body))

/**
 * Requests JSON from a service that the operator configured: with a deadline for the whole exchange, a limit on the
 * size of the response, and no redirects, which would send payments and credentials elsewhere.
 *
 * @returns the parsed body, whatever the status
 * @throws UpstreamError when no JSON arrives within the limits of time and size; its cause is `NotConnected` where
 *   nothing was sent
 */
export async function fetchJson(
  url: string,
  { headers, ...options }: ExchangeOptions,
): Promise<{ status: number; json: unknown }> {
  let status: number | undefined
  try {
    const json = { accept: 'application/json', 'content-type': 'application/json' }
    const answer = await exchange(url, { ...options, headers: { ...json, ...headers } })
    status = answer.status
    if (status >= 300 && status < 400) throw new Error('redirects are not followed')
    return { status, json: parseJson(answer.body) }
  } catch (cause) {
    throw new UpstreamError('the service did not answer with JSON', { status, cause })
  }
}
