import { z } from 'zod'
import { readCapped } from '../http/read-capped.ts'
import { ProviderFailed, type ProviderFailureKind } from './provider-failed.ts'

/** One question to a provider. */
export interface ProviderQuestion {
  readonly url: string
  readonly key: string | undefined
  readonly body: Readonly<Record<string, unknown>>
  /** Over the whole exchange. */
  readonly deadlineMs: number
  /** Of the answer. */
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

/** A provider's answer with a status of success. */
export interface ProviderAnswer {
  /** Lower case, without parameters. */
  readonly mimeType: string
  /** As it was sent. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

const maxErrorBytes = 64 * 1024

/**
 * Asks a media provider of the operator's. It is believed as little as any server: a deadline, a cap, no redirects
 * (they would carry the key elsewhere), and its error texts, which may hold the key, go nowhere.
 *
 * @throws ProviderFailed when there is no whole answer of success; the signal's reason when that ended it
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

/** What OpenAI and those who speak as it does call content that they do not work on. */
const refusals = new Set(['content_policy_violation', 'moderation_blocked', 'image_generation_user_error'])

/** Of an error, only its code is looked at; a request that is not well-formed is the operator's to mend, not the buyer's. */
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
