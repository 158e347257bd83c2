import { readSignedAnswer, type SignedAnswer } from './read-signed-answer.ts'
import { type Order, sendRequest } from './send-request.ts'
import { waitBefore } from './wait-before.ts'

/** The world as the procedure sees it. */
export interface Surroundings {
  fetch: typeof fetch
  /** Wall clock in milliseconds. */
  now(): number
  sleep(ms: number): Promise<void>
  /** Tells the person what is going on. */
  say(line: string): void
}

/** One signed payment and how long to ask about it. */
export interface SendOptions {
  header: string
  /** Seconds since 1970. */
  validBefore: number
  timeoutSeconds: number
  /** Whether an earlier run may have sent it already. */
  resumed: boolean
}

/** `unresolved`: time is up. */
export type FinalAnswer = (Exclude<SignedAnswer, { is: 'again' }> | { is: 'unresolved'; why: string }) & {
  resends: number
  /** False only when every answer said so: "not charged" from a shop that is busy says nothing of an earlier copy. */
  charged: false | 'unknown'
}

/** After the authorization has expired the chain cannot change any more, so the answer after that is the last word. */
const graceMs = 30_000
/** A shop that says "not charged" and does not ask for another try gets this many all the same. */
const uselessAttempts = 3

/** Sends one signed payment until the shop has said what became of it; never a second signature. */
export async function sendSigned(
  order: Order,
  { header, validBefore, timeoutSeconds, resumed }: SendOptions,
  { fetch, now, sleep, say }: Surroundings,
): Promise<FinalAnswer> {
  const startMs = now()
  const timeoutMs = startMs + timeoutSeconds * 1000
  const expiryMs = validBefore * 1000
  // A payment that had expired before we began is asked about for as long as any other.
  const endMs = expiryMs > startMs ? Math.min(timeoutMs, expiryMs + graceMs) : timeoutMs
  let charged: false | 'unknown' = resumed ? 'unknown' : false
  for (let attempt = 1; ; attempt += 1) {
    const answer = readSignedAnswer(await sendRequest(fetch, order, header))
    const resends = attempt - 1
    if (!('problem' in answer) || answer.problem?.charged !== false) charged = 'unknown'
    if (answer.is !== 'again') return { ...answer, resends, charged }
    const { why, problem, retryAfter } = answer
    const waitMs = waitBefore(attempt, retryAfter, now())
    const isUseless = problem?.charged === false && problem.retryable === false && attempt >= uselessAttempts
    if (isUseless || now() + waitMs > endMs) return { is: 'unresolved', why, resends, charged }
    say(`${why}; sending the same signature again in ${Math.ceil(waitMs / 1000)} s`)
    await sleep(waitMs)
  }
}
