import { readCapped } from './read-capped.ts'

/** Why an answer could not be used; `cause` is for the log. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  /** Of the answer, where one came. */
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
 * Asks a service of the operator's for JSON: with a deadline over the whole exchange, a cap on the answer, and no
 * redirects (they would carry payments and credentials elsewhere).
 *
 * @returns the parsed body whatever the status
 * @throws UpstreamError when there is no JSON answer in time and size
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
