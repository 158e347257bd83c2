import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import type { StorageSettings } from '../../config/storage-settings.ts'
import { readCapped } from '../../http/read-capped.ts'
import { StorageFailed } from './storage-failed.ts'

/** One thing that is asked of the storage. */
export interface Question {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Of an object; absent for the bucket. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Statuses that are answers although they are no success. */
  readonly accepts?: readonly number[]
}

/** How long and how often the storage is asked. */
export interface Patience {
  /** Of one attempt until its answer is read. */
  readonly attemptMs: number
  /** Of all attempts together. */
  readonly withinMs: number
}

/** For so long after it was given up, it is asked only once at a time. */
const awayMs = 10_000

export const usualPatience: Patience = { attemptMs: 10_000, withinMs: 30_000 }

/** Large bodies get as much more time as this pace takes for them. */
const slowestBytesPerMs = 250
const firstPauseMs = 100
const longestPauseMs = 3000
const maxErrorBytes = 64 * 1024
/** By which the storage asks to be spared for a moment. */
const passingStatuses = [408, 425, 429, 500, 502, 503, 504]
/** The same of those that come with other statuses; the last two are about bytes that changed on their way. */
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

export const pause = (tries: number): Promise<void> => {
  const most = Math.min(longestPauseMs, firstPauseMs * 2 ** tries)
  // Whoever failed together does not come back together.
  return new Promise((resolve) => setTimeout(resolve, most * (0.5 + Math.random() / 2)))
}

/** What an answer without success says; of its text, only the name of the error is looked at. */
async function toFailure(response: Response): Promise<StorageFailed> {
  const { status } = response
  const text = await readCapped(response.body, maxErrorBytes).catch(() => undefined)
  const code = /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text?.toString() ?? '')?.[1] ?? ''
  const answered = `answered ${status}${code && ` (${code})`}`
  if (passingStatuses.includes(status) || passingCodes.includes(code)) return new StorageFailed('unavailable', answered)
  return new StorageFailed('refused', refusals[code] ?? answered)
}

/** Asks the storage; `read` takes what is wanted from an answer. */
export type AskStorage = ReturnType<typeof makeAskStorage>

/**
 * Asks an S3-compatible storage, again and again with growing pauses while that can help.
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
    // The storage compares the sum with what arrives.
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
    // Not signed: what stands in front of a storage may change it.
    signed.headers.set('accept-encoding', 'identity')
    return fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: 'manual',
      signal,
      ...(body && { body: new Uint8Array(body) }),
    })
  }

  /** Asks once. */
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
     * @param findDone looks, after an attempt without an answer, whether it was done all the same, and answers for it
     * @throws StorageFailed
     */
    async ask<Read>(
      question: Question,
      read: (response: Response) => Promise<Read>,
      findDone: () => Promise<Read | undefined> = async () => undefined,
    ): Promise<Read> {
      // Nobody is kept waiting for one that others have just waited for in vain.
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
    /** What names an object in headers. */
    pathOf: (key: string): string => `/${bucket}/${prefix}${key}`,
    prefix,
  }
}

const extraMs = ({ body }: Question): number => (body?.byteLength ?? 0) / slowestBytesPerMs
