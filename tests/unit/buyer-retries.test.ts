import { describe, expect, it } from 'vitest'
import { printable } from '../../src/buyer/printable.ts'
import { readSignedAnswer } from '../../src/buyer/read-signed-answer.ts'
import { waitBefore } from '../../src/buyer/wait-before.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

describe('the delay before a signature is sent again', () => {
  it('doubles from half a second to half a minute', () => {
    expect([1, 2, 3, 7, 20].map((attempt) => waitBefore(attempt, undefined, now))).toEqual([
      500, 1000, 2000, 30_000, 30_000,
    ])
  })

  it.each([
    ['3', 3000],
    ['0', 250],
    ['3600', 60_000],
    ['Fri, 20 Nov 2026 12:00:10 GMT', 10_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 250],
    ['soon', 500],
    // Not HTTP dates, though lenient parsers read them as dates long ago, which would mean no delay.
    ['-1', 500],
    ['1.5', 500],
    ['2026-11-20', 500],
  ])('follows Retry-After: %s', (header, ms) => {
    expect(waitBefore(1, header, now)).toBe(ms)
  })
})

describe('an answer to a signed request', () => {
  const answer = (status: number, body: object = {}, headers: Record<string, string> = {}) =>
    readSignedAnswer({
      is: 'answer',
      status,
      headers: new Headers(headers),
      body: new Uint8Array(Buffer.from(JSON.stringify(body))),
    })

  it.each([
    [200, {}, {}, 'delivered'],
    [206, {}, {}, 'delivered'],
    [302, {}, { location: 'https://elsewhere.example' }, 'redirected'],
    [400, { charged: false }, {}, 'refused'],
    [402, {}, {}, 'declined'],
    [404, {}, {}, 'refused'],
    [409, {}, { 'retry-after': '1' }, 'again'],
    [409, { type: 'https://x.example/problems/payment-in-progress' }, {}, 'again'],
    [409, { type: 'https://x.example/problems/insufficient-credits' }, {}, 'refused'],
    [429, {}, {}, 'again'],
    [500, {}, {}, 'again'],
    [503, {}, {}, 'again'],
    [504, {}, {}, 'again'],
  ])('with status %i, %j and %j is handled by the published rule as: %s', (status, body, headers, is) => {
    expect(answer(status, body, headers).is).toBe(is)
  })

  it('is requested again if it never arrived', () => {
    expect(readSignedAnswer({ is: 'lost', reason: 'the connection was closed' }).is).toBe('again')
  })

  it('cannot write control characters to the terminal', () => {
    const evil = '\u001b]0;title\u0007\u001b[2J\u202eok\u2028\n'
    expect(printable(evil)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
    const read = answer(503, { detail: evil })
    expect(read.is === 'again' && read.why).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
  })
})
