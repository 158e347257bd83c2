import { expect } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { headerOf, type RawAnswer, textOf } from './raw-connections.ts'
import { testBaseUrl } from './running-site.ts'
import { decodeHeader } from './stock-client.ts'

/** The JSON body of a refusal. */
export const readProblem = (answer: RawAnswer) => JSON.parse(textOf(answer))

/** Expects a 402 with fresh terms in header and body, which says that nothing was charged. */
export function expectChallenge(answer: RawAnswer, offer: Offer, error: unknown): void {
  expect([answer.status, headerOf(answer, 'cache-control')]).toEqual([402, 'no-store'])
  const terms = decodeHeader(headerOf(answer, 'payment-required') ?? null)
  expect(terms).toMatchObject({ x402Version: 2, error, accepts: [{ payTo: sandboxPayTo }] })
  expect(readProblem(answer)).toMatchObject({ error, charged: false, resource: { url: testBaseUrl + offer.path } })
}

/** Expects a problem of this kind, uncharged unless `more` says otherwise. */
export function expectProblem(answer: RawAnswer, status: number, kind: string, more: object = {}): void {
  expect([answer.status, headerOf(answer, 'content-type')]).toEqual([status, 'application/problem+json'])
  expect(headerOf(answer, 'cache-control')).toBe('no-store')
  const type = `${testBaseUrl}/problems/${kind}`
  const instance = `urn:request:${headerOf(answer, 'x-request-id')}`
  expect(readProblem(answer)).toMatchObject({ type, status, instance, charged: false, ...more })
}

/** The fields or parameters that a problem names. */
export const pointersOf = (answer: RawAnswer): string[] =>
  readProblem(answer).errors.map((error: { pointer?: string; parameter?: string }) => error.pointer ?? error.parameter)
