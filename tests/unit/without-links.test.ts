import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openPendingPurchases } from '../../src/buyer/pending-purchases.ts'
import type { Order } from '../../src/buyer/send-request.ts'
import { readSecret } from '../../src/storage/read-secret.ts'
import { writeAtomically } from '../../src/storage/write-atomically.ts'

/** The error of exFAT, Windows shares and most mounted buckets for hard links. */
const refused = () => Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'farthing-links-'))
  vi.spyOn(fs, 'linkSync').mockImplementation(() => {
    throw refused()
  })
  vi.spyOn(fs.promises, 'link').mockImplementation(() => Promise.reject(refused()))
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  rmSync(folder, { recursive: true })
})

it('creates the secret of an installation on a file system without hard links, and keeps it', () => {
  const file = join(folder, 'some.key')
  const secret = readSecret(file)
  expect(secret).toHaveLength(43)
  expect([readSecret(file), readdirSync(folder)]).toEqual([secret, ['some.key']])
})

it('waits for a secret whose file another program has just created, instead of calling it damaged', async () => {
  const [file, secret] = [join(folder, 'some.key'), 's'.repeat(43)]
  writeFileSync(`${file}.draft`, secret)
  writeFileSync(file, '')
  const other = spawn('sh', ['-c', 'sleep 0.3; mv "$0.draft" "$0"', file])
  expect(readSecret(file)).toBe(secret)
  await once(other, 'close')
  writeFileSync(file, '')
  expect(() => readSecret(file)).toThrow('is damaged: restore it, or delete it')
})

it('stores one signature of several concurrent buyers, which the others find complete', async () => {
  const order: Order = { method: 'GET', url: new URL('https://shop.example/a'), body: undefined }
  const toNote = (n: number) => {
    const nonce = `0x${'ab'.repeat(32)}` as const
    const header = Buffer.from(JSON.stringify({ payload: { authorization: { nonce, n } } })).toString('base64')
    return {
      ...{ url: order.url.href, method: 'GET', bodySha256: '', header, nonce, amountMicroUsd: '100000', asset: '0x1' },
      ...{ payTo: '0x2', payer: '0x3', createdAt: '2026-11-20T12:00:00.000Z', validBefore: 1_800_000_000 },
    }
  }
  // A network share takes its time.
  const { rename } = fs.promises
  vi.spyOn(fs.promises, 'rename').mockImplementation(async (from, to) => {
    await delay(100)
    await rename(from, to)
  })
  syncBuiltinESMExports()
  const purchases = openPendingPurchases(join(folder, 'purchases'))
  const buy = async (n: number) => {
    const isMine = await purchases.keep(order, toNote(n), 1)
    return { isMine, ...(await purchases.find(order)) }
  }
  const bought = await Promise.all(Array.from({ length: 4 }, (_, n) => buy(n)))
  const mine = bought.findIndex(({ isMine }) => isMine)
  expect(bought.filter(({ isMine }) => isMine)).toHaveLength(1)
  for (const { signatures } of bought) expect(signatures).toEqual([toNote(mine)])
})

it('replaces no existing file by mistake on a file system without hard links', async () => {
  const [there, fresh] = [join(folder, 'there'), join(folder, 'fresh')]
  writeFileSync(there, 'mine')
  const write = (path: string) => writeAtomically(path, 'bought', { mode: 0o600, exclusive: true })
  await expect(write(there)).rejects.toThrow('EEXIST')
  await write(fresh)
  expect([readFileSync(there, 'utf8'), readFileSync(fresh, 'utf8')]).toEqual(['mine', 'bought'])
  expect(readdirSync(folder).toSorted()).toEqual(['fresh', 'there'])
})
