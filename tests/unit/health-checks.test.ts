import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { toPrefix } from '../../src/backups/backup-tiers.ts'
import { seeFolder } from '../../src/backups/overview.ts'
import { readConfig } from '../../src/config/config.ts'
import { makeBackupsCheck } from '../../src/health/check-backups.ts'
import { makeBlocksCheck } from '../../src/health/check-blocks.ts'
import { makeClockCheck } from '../../src/health/check-clock.ts'
import { makeDiskCheck } from '../../src/health/check-disk.ts'
import { makeFacilitatorCheck } from '../../src/health/check-facilitator.ts'
import { makeSettlementCheck } from '../../src/health/check-settlement.ts'
import { makeSeveralChecks } from '../../src/health/check-several.ts'
import type { Times } from '../../src/health/look-at-times.ts'
import { openHealth } from '../../src/health/open-health.ts'
import type { OwnStanding } from '../../src/health/own-facilitator.ts'
import { toSpan } from '../../src/health/span-text.ts'
import { listen } from '../../src/http/listen.ts'
import { canMount, mountMemory } from '../support/small-disk.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const now = Date.UTC(2026, 10, 22, 9, 30)

describe('the clocks', () => {
  /** Checks the clocks of the newest block and of the RPC server against ours. */
  const look = async (block: number, server?: number) => {
    const times: Times = { ourMs: now, blockMs: now + block, serverMs: server === undefined ? undefined : now + server }
    const [clock, blocks] = await Promise.all([
      makeClockCheck(async () => times).run(),
      makeBlocksCheck(async () => times).run(),
    ])
    return [clock?.is, blocks?.is]
  }

  it.each([
    ['agree', -2 * second, 0, 'ok', 'ok'],
    ['agree, and nobody has paid for half a minute', -35 * second, -second, 'ok', 'ok'],
    ['agree with a new block, whatever the clock of the server is', -2 * second, 20 * minute, 'ok', 'ok'],
    ['show that ours is 20 minutes ahead', -20 * minute, -20 * minute + second, 'failure', 'ok'],
    ['show that ours is 20 minutes behind', 20 * minute, 20 * minute, 'failure', 'ok'],
    ['show that ours is 20 minutes behind, by the block alone', 20 * minute, undefined, 'failure', 'ok'],
    ['show that ours is a minute ahead', -minute, -minute, 'warning', 'ok'],
    ['show that the chain stands still', -20 * minute, 0, 'ok', 'failure'],
    [
      'show that ours is seconds ahead, and not the minutes of a server that is behind',
      -20 * second,
      -20 * minute,
      'warning',
      'ok',
    ],
    ['show that the RPC is three minutes behind', -3 * minute, 0, 'ok', 'failure'],
    ['show that the RPC falls behind', -90 * second, 0, 'ok', 'warning'],
    ['leave open which of the two it is', -20 * minute, undefined, undefined, 'failure'],
  ] as const)('%s', async (_, block, server, clock, blocks) => {
    expect(await look(block, server)).toEqual([clock, blocks])
  })

  it('report nothing while the RPC does not answer', async () => {
    expect(await makeClockCheck(async () => undefined).run()).toBeUndefined()
    expect(await makeBlocksCheck(async () => undefined).run()).toBeUndefined()
  })

  it('are described in words', async () => {
    const times = { ourMs: now, blockMs: now - 20 * minute, serverMs: now - 20 * minute }
    expect((await makeClockCheck(async () => times).run())?.sentence).toBe(
      "This machine's clock is 20 minutes ahead, so good payments are refused.",
    )
    expect([1000, 59_000, 119_000, 2 * minute, 119 * minute, 50 * hour].map(toSpan)).toEqual([
      '1 second',
      '59 seconds',
      '119 seconds',
      '2 minutes',
      '119 minutes',
      '2 days',
    ])
  })
})

describe('the facilitator', () => {
  const kind = { x402Version: 2, scheme: 'exact', network: 'eip155:8453' }
  const look = async (answer: RequestListener) => {
    const server = createServer(answer)
    const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
    const finding = await makeFacilitatorCheck({
      name: 'f',
      url: `http://127.0.0.1:${port}`,
      headers: { 'x-key': 'k' },
    }).run()
    server.closeAllConnections()
    server.close()
    return finding
  }

  it.each([
    [200, JSON.stringify({ kinds: [kind] }), 'ok', /answers, and settles/],
    [200, JSON.stringify({ kinds: [{ ...kind, network: 'eip155:84532' }] }), 'failure', /does not settle exact/],
    [200, JSON.stringify({ kinds: [{ ...kind, x402Version: 1 }] }), 'failure', /does not settle exact/],
    [200, '{}', 'failure', /HTTP 200 in a form/],
    [200, '<html>', 'failure', /HTTP 200 in a form/],
    [401, '{"error":"who are you"}', 'failure', /refuses this shop \(HTTP 401\)/],
    [403, 'no', 'failure', /refuses this shop \(HTTP 403\)/],
    [404, 'not found', 'failure', /HTTP 404/],
  ] as const)('that answers %i %s', async (status, body, is, sentence) => {
    const finding = await look((_, response) => void response.writeHead(status).end(body))
    expect(finding).toMatchObject({ is, sentence: expect.stringMatching(sentence) })
    expect(JSON.stringify(finding)).not.toContain('who are you')
  })

  it('is a failure if it cannot be reached, and is asked with its headers', async () => {
    const finding = await look((_, response) => void response.destroy())
    expect(finding).toMatchObject({
      is: 'failure',
      sentence: expect.stringMatching(/does not answer.*cannot be reached/),
    })
    const allowed = await look(({ headers }, response) => {
      response.writeHead(headers['x-key'] === 'k' ? 200 : 401).end(JSON.stringify({ kinds: [kind] }))
    })
    expect(allowed?.is).toBe('ok')
  })
})

describe('our own facilitator', () => {
  const gas = (settlementsLeft: number) => ({ settlementsLeft, isLow: settlementsLeft < 50 })
  it.each([
    ['settles', { settling: true, gas: gas(2400) }, 'ok', 'The gas wallet pays for 2,400 more settlements.'],
    ['settles a few more', { settling: true, gas: gas(12) }, 'warning', 'The gas wallet pays for 12 more settlements.'],
    ['has no gas', { settling: false, gas: gas(0) }, 'failure', /pays for 0 more settlements, which is too little/],
    ['sends and nothing is mined', { settling: false, gas: gas(2400) }, 'failure', /none of them settles/],
    ['sees no chain', { settling: false }, 'failure', /no answer from the chain/],
    ['is gone', undefined, 'failure', /does not report its state/],
  ] as const)('%s', async (_, standing: OwnStanding | undefined, is, sentence) => {
    const { check } = makeSettlementCheck({ askOwn: async () => standing, isOurs: true })
    expect(await check.run()).toMatchObject({ is, sentence: expect.stringMatching(sentence) })
  })

  it('is not checked if another program of this machine settles', async () => {
    expect(await makeSettlementCheck({ askOwn: async () => undefined, isOurs: false }).check.run()).toBeUndefined()
  })

  it('keeps the last known gas while the chain does not answer', async () => {
    let standing: OwnStanding | undefined = { settling: true, gas: gas(60) }
    const settlement = makeSettlementCheck({ askOwn: async () => standing, isOurs: true })
    expect(settlement.gas()).toBeUndefined()
    await settlement.check.run()
    standing = { settling: false }
    await settlement.check.run()
    expect(settlement.gas()).toEqual(gas(60))
  })
})

describe('several facilitators', () => {
  const found = (is: 'ok' | 'failure') => ({ name: is, everyMs: 0, run: async () => ({ is, sentence: '' }) })
  const broken = { name: 'broken', everyMs: 0, run: () => Promise.reject(new Error('no such name')) }
  const look = async (...members: Parameters<typeof makeSeveralChecks>[0]) => {
    const findings = await Promise.allSettled(makeSeveralChecks(members).map((check) => check.run()))
    return findings.map((finding) => (finding.status === 'fulfilled' ? finding.value?.is : 'broken'))
  }

  it('can sell if one of them has all that it needs, and then failures of the others are warnings', async () => {
    expect(await look([found('ok'), found('ok')], [found('ok'), found('failure')])).toEqual([
      ...['ok', 'ok', 'ok', 'warning'],
      'ok',
    ])
  })

  it('cannot sell if each of them lacks something or cannot be checked', async () => {
    expect((await look([found('ok'), found('failure')], [found('failure'), found('ok')])).at(-1)).toBe('failure')
    expect((await look([found('ok'), broken], [found('failure')])).at(-1)).toBe('failure')
  })
})

describe('the folders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-health-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const keep = (tier: 'hourly' | 'daily', at: number, isFinished = true) => {
    const path = join(folder, toPrefix(tier, at))
    mkdirSync(path, { recursive: true })
    if (isFinished) writeFileSync(join(path, 'manifest.json'), '{}')
  }
  const look = async (sinceMs = now) =>
    (await makeBackupsCheck({ seen: seeFolder(folder), sinceMs, now: () => now }).run())?.sentence

  it('have no backup at first, which is accepted for three hours', async () => {
    expect(await look(now - 3 * hour)).toBe('The first backup has not been made yet.')
    expect(await look(now - 3 * hour - 1)).toBe('There is no backup.')
    const none = makeBackupsCheck({ seen: seeFolder(join(folder, 'none')), sinceMs: 0, now: () => now })
    expect(await none.run()).toMatchObject({
      is: 'warning',
    })
  })

  it('are reported without a backup if they are older than three hours, also right after a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'farthing-restarted-'))
    const nowhere = 'http://127.0.0.1:9'
    const config = readConfig({ DATA_DIR: dataDir, RPC_URL: nowhere, FACILITATOR_URL: nowhere })
    const lookAfterStart = async () => {
      const health = openHealth({
        config,
        backups: seeFolder(join(dataDir, 'backups')),
        objects: undefined,
        log: () => {},
      })
      const findings = await health.findings()
      health.close()
      return findings.find(({ name }) => name === 'backups')?.sentence
    }
    expect(await lookAfterStart()).toBe('The first backup has not been made yet.')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4 * hour })
    expect(await lookAfterStart()).toBe('There is no backup.')
    vi.useRealTimers()
    rmSync(dataDir, { recursive: true })
  })

  it('have a backup with an age, whatever its tier; an unfinished one does not count', async () => {
    keep('hourly', now - 50 * hour)
    expect(await look()).toBe('The newest backup is 2 days old.')
    keep('daily', now - 5 * hour)
    keep('hourly', now - hour, false)
    expect(await look()).toBe('The newest backup is 5 hours old.')
    keep('hourly', now - 2 * hour)
    expect(await look()).toBe('The newest backup is less than three hours old.')
  })

  it('have no backup dated in the future, so that a clock that was ahead hides nothing', async () => {
    const dated = mkdtempSync(join(tmpdir(), 'farthing-dated-'))
    for (const at of [now - 50 * hour, now + 900 * hour]) {
      mkdirSync(join(dated, toPrefix('hourly', at)), { recursive: true })
      writeFileSync(join(dated, toPrefix('hourly', at), 'manifest.json'), '{}')
    }
    const check = makeBackupsCheck({ seen: seeFolder(dated), sinceMs: 0, now: () => now })
    expect((await check.run())?.sentence).toBe('The newest backup is 2 days old.')
    rmSync(dated, { recursive: true })
  })

  it('are not reported without backup if they cannot be read', async () => {
    const unread = { ...seeFolder(folder), findNewest: () => Promise.reject(new Error('EACCES: permission denied')) }
    expect(await makeBackupsCheck({ seen: unread, sinceMs: 0, now: () => now }).run()).toEqual({
      is: 'warning',
      sentence: 'The backups cannot be read.',
      advice: 'Is BACKUP_DIR a folder of this user?',
    })
  })

  it.runIf(canMount)('have less space than a few days of sales take, which is reported in time', async () => {
    const sentences = ['size=4g', 'size=900m'].map(async (size) => {
      const { folder: disk, remove } = mountMemory(size)
      const found = await makeDiskCheck(disk).run()
      remove()
      return found?.sentence
    })
    expect(await Promise.all(sentences)).toEqual([
      'There is enough space in the data folder.',
      expect.stringMatching(/^Only 9\d\d MB are free on the disk of the data folder\.$/),
    ])
  })

  it('have enough space, or fail the check if a folder is missing', async () => {
    expect((await makeDiskCheck(folder).run())?.is).toMatch(/ok|warning/)
    await expect(makeDiskCheck(join(folder, 'none')).run()).rejects.toThrow('ENOENT')
  })
})
