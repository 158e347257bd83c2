import { readHttpDate } from '../core/http-date.ts'

const longestMs = 60_000
const shortestMs = 250

/** Milliseconds to wait before the next attempt: `Retry-After` if given, else exponential backoff; within limits. */
export function waitBefore(attempt: number, retryAfter: string | undefined, nowMs: number): number {
  const asked = retryAfter === undefined ? undefined : readRetryAfter(retryAfter, nowMs)
  return Math.min(Math.max(asked ?? 250 * 2 ** attempt, shortestMs), asked === undefined ? longestMs / 2 : longestMs)
}

/** Parses `Retry-After`: seconds or an HTTP date (RFC 9110, 10.2.3). */
function readRetryAfter(text: string, nowMs: number): number | undefined {
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  const date = readHttpDate(text, nowMs)
  return date === undefined ? undefined : date - nowMs
}
