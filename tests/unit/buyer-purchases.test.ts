import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPendingPurchases, PurchaseRecordError } from '../../src/buyer/pending-purchases.ts'
import type { Order } from '../../src/buyer/send-request.ts'
import { writeAtomically } from '../../src/storage/write-atomically.ts'

const order: Order = { method: 'POST', url: new URL('https://shop.example/a'), body: new Uint8Array([1, 2]) }
const nonce = `0x${'ab'.repeat(32)}` as const
const toHeader = (authorization: object) =>
  Buffer.from(JSON.stringify({ payload: { authorization } })).toString('base64')
const purchase = {
  url: order.url.href,
  method: 'POST',
  bodySha256: 'a'.repeat(64),
  header: toHeader({ nonce }),
  nonce,
  amountMicroUsd: '100000',
  asset: '0x1',
  payTo: '0x2',
  payer: '0x3',
  createdAt: '2026-11-20T12:00:00.000Z',
  validBefore: 1_800_000_000,
}
const none = { signatures: [], next: 1 }
const newFolder = () => join(mkdtempSync(join(tmpdir(), 'farthing-purchases-')), 'deep', 'purchases')

describe('a pending purchase', () => {
  it('is a file readable by its owner alone, named by the hash of the request', async () => {
    const folder = newFolder()
    const purchases = openPendingPurchases(folder)
    expect(await purchases.keep(order, purchase, 1)).toBe(true)
    const [name = '', ...others] = readdirSync(folder)
    expect(others).toEqual([])
    expect(name).toMatch(/^[0-9a-f]{64}\.json$/)
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({ header: purchase.header })
    expect(await purchases.find(order)).toEqual({ signatures: [purchase], next: 2 })
  })

  it('belongs to one method, address and body', async () => {
    const purchases = openPendingPurchases(newFolder())
    await purchases.keep(order, purchase, 1)
    const others: Order[] = [
      { ...order, method: 'PUT' },
      { ...order, url: new URL('https://shop.example/a?b') },
      { ...order, body: new Uint8Array([1, 3]) },
      { ...order, body: undefined },
    ]
    for (const other of others) expect(await purchases.find(other)).toEqual(none)
  })

  it('is never replaced by one that another process signed at the same time, and never seen half written', async () => {
    const folder = newFolder()
    const purchases = openPendingPurchases(folder)
    const padding = 'A'.repeat(200_000)
    const copies = Array.from({ length: 20 }, (_, n) => ({ ...purchase, header: toHeader({ nonce, padding, n }) }))
    const looks = Promise.all(copies.map(() => purchases.find(order)))
    const kept = await Promise.all(copies.map((copy) => purchases.keep(order, copy, 1)))
    expect(kept.filter(Boolean)).toHaveLength(1)
    expect((await purchases.find(order)).signatures).toEqual([copies[kept.indexOf(true)]])
    const seen = (await looks).flatMap(({ signatures }) => signatures)
    expect(seen.every(({ header }) => header.length > padding.length)).toBe(true)
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('is removed when it is dropped, once or twice', async () => {
    const folder = newFolder()
    const purchases = openPendingPurchases(folder)
    await purchases.keep(order, purchase, 1)
    await purchases.drop(order, [purchase])
    await purchases.drop(order, [purchase])
    expect(readdirSync(folder)).toEqual([])
    expect(await purchases.find(order)).toEqual(none)
  })

  it('can be dropped by several processes at once', async () => {
    const folder = newFolder()
    const purchases = openPendingPurchases(folder)
    for (let place = 1; place <= 20; place += 1) await purchases.keep(order, purchase, place)
    await Promise.all(Array.from({ length: 4 }, () => openPendingPurchases(folder).drop(order, [purchase])))
    expect(readdirSync(folder)).toEqual([])
  })

  it('stays when an older one of the same request is dropped', async () => {
    const purchases = openPendingPurchases(newFolder())
    await purchases.keep(order, purchase, 1)
    await purchases.drop(order, [{ ...purchase, nonce: `0x${'cd'.repeat(32)}` }])
    expect((await purchases.find(order)).signatures).toEqual([purchase])
  })

  it('keeps all replaced signatures, in order, and forgets them together', async () => {
    const folder = newFolder()
    const purchases = openPendingPurchases(folder)
    const places = Array.from({ length: 12 }, (_, n) => n + 1)
    const signed = places.map((place) => ({ ...purchase, payTo: `0x${place}` }))
    for (const place of places) await purchases.keep(order, signed[place - 1] ?? purchase, place)
    expect(await purchases.keep(order, purchase, 3)).toBe(false)
    expect(await purchases.find(order)).toEqual({ signatures: signed, next: 13 })
    unlinkSync(purchases.path(order))
    expect(await purchases.find(order)).toEqual({ signatures: signed.slice(1), next: 13 })
    await purchases.drop(order, signed.slice(0, 1))
    expect(readdirSync(folder)).toEqual([])
  })

  it('is visible to other requests to the same shop, and to no other shop', async () => {
    const purchases = openPendingPurchases(newFolder())
    await purchases.keep(order, purchase, 1)
    const asking = (address: string) => purchases.findElsewhere({ ...order, url: new URL(address) })
    expect(await asking('https://shop.example/b')).toEqual([purchase])
    expect(await asking('https://other.example/a')).toEqual([])
    expect(await purchases.findElsewhere(order)).toEqual([])
    writeFileSync(purchases.path(order), '{')
    expect(await asking('https://shop.example/b')).toEqual([])
  })

  it('that is damaged stops the program, which would otherwise pay twice', async () => {
    const purchases = openPendingPurchases(newFolder())
    await purchases.keep(order, purchase, 1)
    writeFileSync(purchases.path(order), '{"header":')
    await expect(purchases.find(order)).rejects.toThrow(PurchaseRecordError)
  })

  it('that cannot be stored is an error before anything is sent', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'farthing-purchases-')), 'file')
    writeFileSync(file, '')
    await expect(openPendingPurchases(join(file, 'purchases')).keep(order, purchase, 1)).rejects.toThrow(
      PurchaseRecordError,
    )
  })
})

describe('writing a file', () => {
  it('replaces the old one atomically and leaves no other file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'farthing-write-'))
    const path = join(folder, 'product')
    await writeAtomically(path, 'old', { mode: 0o644 })
    chmodSync(path, 0o444)
    await writeAtomically(path, Buffer.from('new'), { mode: 0o644 })
    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(readdirSync(folder)).toEqual(['product'])
  })

  it('that fails leaves the old one and no other file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'farthing-write-'))
    const path = join(folder, 'product')
    await writeAtomically(path, 'old', { mode: 0o644 })
    await expect(writeAtomically(path, 'new', { mode: 0o644, exclusive: true })).rejects.toThrow(/EEXIST/)
    await expect(writeAtomically(join(folder, 'none', 'x'), 'new', { mode: 0o644 })).rejects.toThrow(/ENOENT/)
    expect(readFileSync(path, 'utf8')).toBe('old')
    expect(readdirSync(folder)).toEqual(['product'])
  })
})
