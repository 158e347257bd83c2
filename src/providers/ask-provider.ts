import { z } from 'zod'
import { readCapped } from '../http/read-capped.ts'
import { ProviderFailed, type ProviderFailureKind } from './provider-failed.ts'

/** One request to a provider. */
export interface ProviderQuestion {
  readonly url: string
  readonly key: string | undefined
  readonly body: Readonly<Record<string, unknown>>
  /** Milliseconds for the whole exchange. */
  readonly deadlineMs: number
  /** The largest response body, in bytes. */
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

/** A provider's response with a status of success. */
export interface ProviderAnswer {
  /** Lower case, without parameters. */
  readonly mimeType: string
  /** The `Content-Type` as it was sent. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

const maxErrorBytes = 64 * 1024

/**
 * Sends a request to the operator's media provider. It is trusted as little as any server: there is a deadline and a
 * limit on bytes, redirects are refused (they would send the key elsewhere), and error texts are dropped (they may
 * contain the key).
 *
 * @throws ProviderFailed when there is no complete successful response; the signal's reason when it was aborted
 */
export async function askProvider(question: ProviderQuestion): Promise<ProviderAnswer> {
  const { url, key, body, deadlineMs, maxBytes, signal } = question
  const deadline = AbortSignal.timeout(deadlineMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    })
    if (!response.ok) throw new ProviderFailed(await kindOfError(response), `answered ${response.status}`)
    const contentType = response.headers.get('content-type') ?? ''
    const mimeType = contentType.split(';', 1)[0] ?? ''
    const bytes = await readCapped(response.body, maxBytes)
    if (!bytes) throw new ProviderFailed('unusable', `sent more than ${maxBytes} bytes`)
    return { mimeType: mimeType.trim().toLowerCase(), contentType, bytes }
  } catch (cause) {
    if (cause instanceof ProviderFailed) throw cause
    signal?.throwIfAborted()
    throw new ProviderFailed('unavailable', deadline.aborted ? 'did not answer in time' : 'broke off', { cause })
  }
}

const errorSchema = z.object({ error: z.object({ code: z.string().nullish(), type: z.string().nullish() }) })

/** Error codes of OpenAI and compatible providers for content that they refuse to work on. */
const refusals = new Set(['content_policy_violation', 'moderation_blocked', 'image_generation_user_error'])

/**
 * The kind of an error, by its status and code only. A malformed request counts as `account`, because the operator must
 * repair that and not the buyer.
 */
async function kindOfError(response: Response): Promise<ProviderFailureKind> {
  const { status } = response
  if (status === 408 || status >= 500) {
    await response.body?.cancel()
    return 'unavailable'
  }
  const error = await readCapped(response.body, maxErrorBytes).catch(() => undefined)
  const codes = error ? readCodes(error) : []
  if (status === 429) return codes.includes('insufficient_quota') ? 'account' : 'unavailable'
  return codes.some((code) => refusals.has(code)) ? 'refused' : 'account'
}

function readCodes(bytes: Buffer): string[] {
  try {
    const { error } = errorSchema.parse(JSON.parse(bytes.toString()))
    return [error.code, error.type].filter((code) => typeof code === 'string')
  } catch {
    return []
  }
}
