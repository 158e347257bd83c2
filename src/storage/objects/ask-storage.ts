import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import type { StorageSettings } from '../../config/storage-settings.ts'
import { readCapped } from '../../http/read-capped.ts'
import { StorageFailed } from './storage-failed.ts'

/** One request to the storage. */
export interface Question {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Key of an object; absent for a request about the bucket. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Statuses outside 2xx that `read` handles, instead of a thrown error. */
  readonly accepts?: readonly number[]
}

/** Time limits for requests to the storage. */
export interface Patience {
  /** Timeout of one attempt, until its response is read. */
  readonly attemptMs: number
  /** How long a request is retried. */
  readonly withinMs: number
}

/** After all retries of a request have failed, further requests are tried only once for this time (ms). */
const awayMs = 10_000

export const usualPatience: Patience = { attemptMs: 10_000, withinMs: 30_000 }

/** Time limits are extended by the time that the body takes at this speed. */
const slowestBytesPerMs = 250
const firstPauseMs = 100
const longestPauseMs = 3000
const maxErrorBytes = 64 * 1024
/** Statuses of failures that pass by themselves. */
const passingStatuses = [408, 425, 429, 500, 502, 503, 504]
/** Codes of such failures that come with other statuses; the last two are for bodies that changed in transit. */
const passingCodes = ['RequestTimeout', 'SlowDown', 'OperationAborted', 'IncompleteBody', 'XAmzContentSHA256Mismatch']
const otherRegion = 'is in another region than STORAGE_URL says'
const refusals: Readonly<Record<string, string>> = {
  NoSuchBucket: 'has no such bucket',
  InvalidAccessKeyId: 'does not know this key',
  SignatureDoesNotMatch: 'does not take this secret',
  AccessDenied: 'does not allow this to the key',
  RequestTimeTooSkewed: 'has another time than this machine',
  PermanentRedirect: otherRegion,
  TemporaryRedirect: otherRegion,
  AuthorizationHeaderMalformed: otherRegion,
}

const emptySha256 = createHash('sha256').digest('hex')
const sumOf = (body: Uint8Array | undefined): string =>
  body ? createHash('sha256').update(body).digest('hex') : emptySha256

/** Waits before the next retry: exponential backoff with jitter. */
export const pause = (tries: number): Promise<void> => {
  const most = Math.min(longestPauseMs, firstPauseMs * 2 ** tries)
  // Jitter, so that requests that failed together are not retried together.
  return new Promise((resolve) => setTimeout(resolve, most * (0.5 + Math.random() / 2)))
}

/** Turns a response without success into an error; of its body only the code of the error is used. */
async function toFailure(response: Response): Promise<StorageFailed> {
  const { status } = response
  const text = await readCapped(response.body, maxErrorBytes).catch(() => undefined)
  const code = /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text?.toString() ?? '')?.[1] ?? ''
  const answered = `answered ${status}${code && ` (${code})`}`
  if (passingStatuses.includes(status) || passingCodes.includes(code)) return new StorageFailed('unavailable', answered)
  return new StorageFailed('refused', refusals[code] ?? answered)
}

/** A client of the storage; `read` extracts the result from a response. */
export type AskStorage = ReturnType<typeof makeAskStorage>

/**
 * Makes a client of an S3-compatible storage, which retries failed requests with growing pauses while that can help.
 *
 * @example await makeAskStorage(settings, usualPatience).ask({ method: 'DELETE', key: 'a/b' }, async () => {})
 */
export function makeAskStorage(settings: StorageSettings, { attemptMs, withinMs }: Patience) {
  const { bucket, prefix, endpoint, region, isPathStyle } = settings
  const base = new URL(endpoint)
  if (!isPathStyle) base.hostname = `${bucket}.${base.hostname}`
  const root = base.href.replace(/\/+$/, '') + (isPathStyle ? `/${bucket}` : '')

  let awayUntil = 0

  async function send(question: Question, signal: AbortSignal): Promise<Response> {
    const { method, key, query = {}, headers = {}, body } = question
    const url = new URL(key === undefined ? root : `${root}/${prefix}${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    // The storage compares this checksum with the body that arrives.
    const summed = { ...headers, 'x-amz-content-sha256': sumOf(body) }
    const signer = new AwsV4Signer({
      ...settings.keys(),
      method,
      url: url.href,
      headers: summed,
      service: 's3',
      region,
    })
    const signed = await signer.sign()
    // Not signed, because a proxy in front of a storage may change it.
    signed.headers.set('accept-encoding', 'identity')
    return fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: 'manual',
      signal,
      ...(body && { body: new Uint8Array(body) }),
    })
  }

  /** Sends a request once, without retries. */
  async function askOnce<Read>(question: Question, read: (response: Response) => Promise<Read>): Promise<Read> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), attemptMs + extraMs(question))
    try {
      const response = await send(question, deadline.signal)
      if (response.ok || question.accepts?.includes(response.status)) return await read(response)
      throw await toFailure(response)
    } catch (cause) {
      if (cause instanceof StorageFailed) throw cause
      throw new StorageFailed('unavailable', deadline.signal.aborted ? 'did not answer in time' : 'broke off', {
        cause,
      })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    askOnce,
    /**
     * Sends a request, with retries.
     *
     * @param findDone finds out, after an attempt whose outcome is unknown, whether the request was carried out: then
     * its result is returned
     * @throws StorageFailed
     */
    async ask<Read>(
      question: Question,
      read: (response: Response) => Promise<Read>,
      findDone: () => Promise<Read | undefined> = async () => undefined,
    ): Promise<Read> {
      // While the storage is known to be down, a request does not wait through retries.
      const isAway = performance.now() < awayUntil
      const until = performance.now() + (isAway ? 0 : withinMs + extraMs(question))
      let isUncertain = false
      for (let tries = 0; ; tries++) {
        try {
          const answer = await askOnce(question, read)
          awayUntil = 0
          return answer
        } catch (error) {
          const isPassing = error instanceof StorageFailed && error.kind === 'unavailable'
          isUncertain ||= isPassing
          const done = isUncertain ? await findDone().catch(() => undefined) : undefined
          if (done !== undefined) return done
          if (!isPassing) throw error
          if (performance.now() >= until) {
            awayUntil = performance.now() + awayMs
            throw error
          }
        }
        await pause(tries)
      }
    },
    /** The path of an object with its bucket, as headers such as `x-amz-copy-source` have it. */
    pathOf: (key: string): string => `/${bucket}/${prefix}${key}`,
    prefix,
  }
}

const extraMs = ({ body }: Question): number => (body?.byteLength ?? 0) / slowestBytesPerMs
