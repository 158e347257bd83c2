import { readCapped } from './read-capped.ts'

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

export interface FetchJsonOptions {
  method?: 'GET' | 'POST'
  body?: string
  headers?: Readonly<Record<string, string>>
  deadlineMs: number
  maxBytes: number
}

/**
 * Requests JSON from a service that the operator configured: with a deadline for the whole exchange, a limit on the
 * size of the response, and no redirects, which would send payments and credentials elsewhere.
 *
 * @returns the parsed body, whatever the status
 * @throws UpstreamError when no JSON arrives within the limits of time and size
 */
export async function fetchJson(url: string, options: FetchJsonOptions): Promise<{ status: number; json: unknown }> {
  const { method = 'GET', body, headers, deadlineMs, maxBytes } = options
  let status: number | undefined
  try {
    const response = await fetch(url, {
      method,
      ...(body !== undefined && { body }),
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    })
    status = response.status
    const answer = await readCapped(response.body, maxBytes)
    if (!answer) throw new Error(`answer larger than ${maxBytes} bytes`)
    return { status, json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(answer)) }
  } catch (cause) {
    throw new UpstreamError('the service did not answer with JSON', { status, cause })
  }
}
