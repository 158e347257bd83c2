import { readSignedAnswer, type SignedAnswer } from './read-signed-answer.ts'
import { type Order, sendRequest } from './send-request.ts'
import { waitBefore } from './wait-before.ts'

/** The environment of a purchase, replaceable in tests. */
export interface Surroundings {
  fetch: typeof fetch
  /** Wall clock in milliseconds. */
  now(): number
  sleep(ms: number): Promise<void>
  /** Shows a line to the user. */
  say(line: string): void
}

/** One signed payment, and how long to retry it. */
export interface SendOptions {
  header: string
  /** Seconds since 1970. */
  validBefore: number
  timeoutSeconds: number
}

/** The last response; `unresolved` when the time is up. */
export type FinalAnswer = (Exclude<SignedAnswer, { is: 'again' }> | { is: 'unresolved'; why: string }) & {
  resends: number
}

/**
 * How long to retry after the authorization has expired: the chain cannot change any more then, so the response after
 * this time is final.
 */
const graceMs = 30_000
/** The number of attempts when the shop says "not charged" and does not ask for a retry. */
const uselessAttempts = 3

/** Sends one signed payment until the shop has said what became of it. It never signs. */
export async function sendSigned(
  order: Order,
  { header, validBefore, timeoutSeconds }: SendOptions,
  { fetch, now, sleep, say }: Surroundings,
): Promise<FinalAnswer> {
  const startMs = now()
  const timeoutMs = startMs + timeoutSeconds * 1000
  const expiryMs = validBefore * 1000
  // A payment that had already expired at the start gets the full timeout.
  const endMs = expiryMs > startMs ? Math.min(timeoutMs, expiryMs + graceMs) : timeoutMs
  for (let attempt = 1; ; attempt += 1) {
    const answer = readSignedAnswer(await sendRequest(fetch, order, header))
    const resends = attempt - 1
    if (answer.is !== 'again') return { ...answer, resends }
    const { why, problem, retryAfter } = answer
    const waitMs = waitBefore(attempt, retryAfter, now())
    const isUseless = problem?.charged === false && problem.retryable === false && attempt >= uselessAttempts
    if (isUseless || now() + waitMs > endMs) return { is: 'unresolved', why, resends }
    say(`${why}; sending the same signature again in ${Math.ceil(waitMs / 1000)} s`)
    await sleep(waitMs)
  }
}
