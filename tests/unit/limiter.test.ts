import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { makeLimiter } from '../../src/http/limiter.ts'
import { makeRateLimits } from '../../src/http/rate-limits.ts'

const address = '203.0.113.9'
const limits = {
  free: { perSecond: 2, burst: 10 },
  quotes: { perSecond: 1, burst: 5 },
  'failed-payments': { perSecond: 1, burst: 3 },
}
const known = 'a payment that the ledger knows'

describe('a tool call from an address with failed payments', () => {
  async function ask(calls: { free?: number; quotes?: number; payments?: readonly unknown[] }) {
    const own = makeRateLimits({ exemptsLoopback: false, now: () => 0, limits })
    own.charge(address, 'failed-payments', 5)
    const isKnownPayment = async (header: string) => header === known
    const req = new IncomingMessage(new Socket())
    const res = new ServerResponse(req)
    const { take } = makeLimiter({ limits: own, addressOf: () => address, isKnownPayment }).forTools(req, res)
    const waitMs = await take({ free: 0, quotes: 0, payments: [], ...calls })
    return { waitMs, told: res.getHeader('ratelimit') }
  }

  it('is allowed if it is free or asks for a price', async () => {
    expect(await ask({ free: 1 })).toEqual({ waitMs: 0, told: '"free";r=9;t=1' })
    expect(await ask({ quotes: 1 })).toEqual({ waitMs: 0, told: '"quotes";r=4;t=1' })
  })

  it('is allowed with a payment that the ledger knows, and delayed with any other', async () => {
    expect(await ask({ payments: [known] })).toEqual({ waitMs: 0, told: undefined })
    const waits = { waitMs: 3000, told: '"failed-payments";r=0;t=3' }
    expect(await ask({ payments: ['another'] })).toEqual(waits)
    expect(await ask({ free: 1, payments: [known, 'another'] })).toEqual(waits)
  })
})
