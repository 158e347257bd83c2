import { expect, it } from 'vitest'
import { makeMemoryCheck } from '../../src/health/check-memory.ts'
import { claimed, judgeCallers } from '../../src/health/outside/check-callers.ts'
import { toWorst } from '../../src/health/outside/looked.ts'

const mb = 1024 ** 2

it.each([
  [8000, 6000, 'ok', /^This machine has 8000 MB of memory, 6000 of them free\.$/],
  [500, 400, 'warning', /less than 512 MB the programs may be killed/],
  [800, 700, 'warning', /a build takes 1200/],
  [2000, 100, 'warning', /100 of them free/],
] as const)('of %i MB, of which %i are free, memory is %s', async (total, free, is, words) => {
  const check = makeMemoryCheck(() => ({ totalBytes: total * mb, availableBytes: free * mb }))
  expect(await check.run()).toMatchObject({ is, sentence: expect.stringMatching(words) })
})

it('reads the memory of the machine that it runs on', async () => {
  const found = await makeMemoryCheck().run()
  expect(found?.sentence).toMatch(/^This machine has [1-9]\d* MB of memory, [1-9]\d* of them free/)
})

const site = { what: 'site', origin: 'https://shop.example' } as const
const caller = '198.51.100.4'

it.each([
  ['one proxy that appends', 1, caller, [claimed, caller], 'ok'],
  ['one proxy that writes the header anew', 1, caller, [caller], 'ok'],
  ['two proxies, both declared', 2, caller, [claimed, caller, '10.0.0.2'], 'ok'],
  ['a proxy that is not declared', 0, '127.0.0.1', [claimed, caller], 'warning'],
  ['one declared of two', 1, '10.0.0.2', [claimed, caller, '10.0.0.2'], 'warning'],
  ['two declared of one that writes the header anew', 2, '127.0.0.1', [caller], 'warning'],
  ['two declared of one that appends', 2, claimed, [claimed, caller], 'failure'],
  ['one declared that passes on what callers write', 1, claimed, [claimed], 'failure'],
  ['none that says who calls', 1, '127.0.0.1', [], 'warning'],
] as const)('with %s, callers are judged so (TRUSTED_PROXIES=%i)', (_, trusted, seen, forwardedFor, is) => {
  const reflection = { caller: seen, forwardedFor: [...forwardedFor], hasForwarded: false, paymentHash: null }
  const judged = judgeCallers(site, reflection, trusted)
  expect(judged.is).toBe(is)
  if (is === 'ok') return
  const written = forwardedFor.filter((entry) => entry !== claimed).length
  const advice =
    written === 0
      ? 'append its caller to X-Forwarded-For'
      : `Set TRUSTED_PROXIES to ${written}, where you run ${written === 1 ? 'one proxy' : `${written} proxies`}.`
  expect(judged).toMatchObject({ advice: expect.stringContaining(advice) })
})

it('uses the peer address without a proxy, and reports a forwarding header that nobody reads', () => {
  const direct = { caller: '127.0.0.1', forwardedFor: [claimed], hasForwarded: false, paymentHash: null }
  const plain = { what: 'site', origin: 'http://localhost:4321' } as const
  expect(judgeCallers(plain, direct, 0).is).toBe('ok')
  expect([judgeCallers(plain, direct, 1).is, judgeCallers(site, direct, 0).is]).toEqual(['warning', 'warning'])
  const unread = { caller: '127.0.0.1', forwardedFor: [], hasForwarded: true, paymentHash: null }
  expect(judgeCallers(site, unread, 1).sentence).toContain('names them in Forwarded, which is not read')
})

it('reports the worst finding of two hosts, once', () => {
  const later = { is: 'later', sentence: 'Not yet.' } as const
  const ok = { is: 'ok', sentence: 'Well.' } as const
  const bad = { is: 'failure', sentence: 'Bad.', advice: 'Mend it.' } as const
  expect(toWorst([ok, later, bad, bad])).toEqual(bad)
  expect(toWorst([ok, later])).toEqual(later)
  expect(toWorst([ok, undefined])).toBe(undefined)
  expect(toWorst([ok, ok])).toEqual(ok)
})
