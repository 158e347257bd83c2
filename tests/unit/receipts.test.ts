import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  extractReceiptFromResponse,
  isJWSSignedReceipt,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt'
import { beforeAll, describe, expect, it } from 'vitest'
import { verifyReceipt } from '../../src/buyer/verify-receipt.ts'
import { eurc } from '../../src/core/assets.ts'
import { toRefundNote } from '../../src/operator/refunds.ts'
import { makeDidRoute, publishKey } from '../../src/payments/proof/published-keys.ts'
import { readReceiptKey } from '../../src/payments/proof/receipt-key.ts'
import { makeReceiptSigner } from '../../src/payments/proof/receipt-signer.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment, testPayTo } from '../support/signed-payments.ts'
import { baseUrl, leaflet, openTestShop } from '../support/test-shop.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'farthing-keys-'))
const places = { baseUrl, gameUrl: 'http://game.farthing.test' }
const keysOf = async (db: LedgerDatabase, current = shop.key) => {
  const answer = await makeDidRoute(db, baseUrl, current).handlers.GET?.(new Request(baseUrl), '', '')
  return answer?.json()
}

async function openSigning(dataDir = folder()) {
  const clock = { ms: Date.now() }
  const key = readReceiptKey({ dataDir, secret: undefined })
  const shop = await openTestShop({ chain: pretendChain(clock), clock, signer: makeReceiptSigner(key, places) })
  await publishKey(shop.db, key, () => clock.ms)
  return { ...shop, key, dataDir }
}

let shop: Awaited<ReturnType<typeof openSigning>>
let header: string
beforeAll(async () => {
  shop = await openSigning()
  header = (await signPayment({ amount: 100_000n, token: 'a-token' })).header
})
const buy = async () => {
  const answer = await shop.buyLeaflet(header)
  const receipt = await shop.payments.receipts.find(answer.headers.get('x-receipt-id') ?? '')
  if (!receipt?.signed) throw new Error('the receipt is not signed')
  return { answer, body: await answer.clone().text(), receipt, signed: receipt.signed }
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('a receipt', () => {
  it('comes with the product in a form that the x402 reference client reads and verifies', async () => {
    const { answer, receipt, signed } = await buy()
    const travelled = extractReceiptFromResponse(answer)
    expect(travelled).toEqual(signed.x402)
    if (!travelled || !isJWSSignedReceipt(travelled)) throw new Error('it is no JWS')
    const [method] = (await keysOf(shop.db)).verificationMethod
    expect(await verifyReceiptSignatureJWS(travelled, method.publicKeyJwk)).toEqual({
      version: 1,
      network: 'eip155:8453',
      resourceUrl: `${baseUrl}/leaflet`,
      payer: receipt.payer,
      issuedAt: Math.floor(Date.parse(receipt.settledAt) / 1000),
      transaction: receipt.transaction,
    })
  })

  it('comes with the result of a tool, too', async () => {
    const bought = await (await openSigning()).buyLeafletBy.mcp(header)
    const { 'x402/payment-response': settled } = JSON.parse(bought.headers.get('x-meta') ?? '{}')
    expect(settled.extensions['offer-receipt'].info.receipt).toMatchObject({ format: 'jws' })
  })

  it('proves what was bought, to the digest of its bytes, without asking the shop', async () => {
    const { body, receipt } = await buy()
    const keys = await keysOf(shop.db)
    const given = JSON.parse(JSON.stringify(receipt))
    expect(verifyReceipt(given, keys, sha256(body))).toMatchObject({ isProven: true })
    expect(verifyReceipt(given, keys).lines[0]).toBe('signed by farthing.test')
    expect(verifyReceipt(given, keys, sha256('another')).lines[0]).toContain('the product is another one')
  })

  it('states the token of payment and of refund', async () => {
    const { receipt } = await buy()
    const { signed: _, ...facts } = receipt
    const refund = { amountMicroUsd: '100000', amountUnits: '92000', refundedAt: receipt.settledAt }
    const inEuro = { ...facts, asset: eurc.address, amountUnits: '92000', refund }
    const document = makeReceiptSigner(shop.key, places).toDocument(inEuro, 'leaflet')
    const { lines } = verifyReceipt({ ...inEuro, signed: { document } }, await keysOf(shop.db))
    expect(lines[1]).toContain('$0.10 in EURC (0.092 EURC)')
    expect(lines.at(-1)).toContain('refunded 0.092 EURC')
    expect(verifyReceipt(receipt, await keysOf(shop.db)).lines[1]).toContain('$0.10 in USDC for')
    const unheard = { ...facts, asset: testPayTo }
    const strange = {
      ...unheard,
      signed: { document: makeReceiptSigner(shop.key, places).toDocument(unheard, 'leaflet') },
    }
    expect(verifyReceipt(strange, await keysOf(shop.db)).lines[1]).toContain(`$0.10 in the token ${testPayTo} for`)
  })

  it('proves nothing once any of its fields or its key has changed', async () => {
    const { receipt, signed } = await buy()
    const keys = await keysOf(shop.db)
    const facts = Object.keys(receipt).filter((name) => name !== 'signed')
    for (const name of facts) {
      const forged = { ...receipt, [name]: name === 'amountMicroUsd' ? '1' : 'another' }
      expect([name, verifyReceipt(forged, keys).isProven]).toEqual([name, false])
    }
    const [head, payload, signature] = signed.document.split('.')
    const cut = { ...receipt, signed: { ...signed, document: `${head}.${payload}.${signature?.slice(2)}` } }
    expect(verifyReceipt(cut, keys).isProven).toBe(false)
    const other = readReceiptKey({ dataDir: folder(), secret: undefined })
    const [method] = keys.verificationMethod
    const swapped = {
      ...keys,
      verificationMethod: [{ ...method, publicKeyJwk: { ...method.publicKeyJwk, x: other.x } }],
    }
    expect(verifyReceipt(receipt, swapped).isProven).toBe(false)
    expect(verifyReceipt(receipt, { ...keys, assertionMethod: [] }).isProven).toBe(false)
    expect(verifyReceipt(receipt, { ...keys, id: 'did:web:elsewhere.test' }).isProven).toBe(false)
    // A signed document of another type is not a receipt.
    const refund = makeReceiptSigner(shop.key, places).toRefund(receipt)
    expect(verifyReceipt({ ...receipt, signed: { document: refund } }, keys).isProven).toBe(false)
    for (const nonsense of [null, {}, 'text', []]) expect(verifyReceipt(nonsense, nonsense).isProven).toBe(false)
  })

  it('proves nothing beside the x402 receipt of another purchase, even if the shop signed that, too', async () => {
    const { receipt, signed } = await buy()
    const keys = await keysOf(shop.db)
    const signer = makeReceiptSigner(shop.key, places)
    const beside = (other: Partial<typeof receipt>, slug = 'leaflet') =>
      verifyReceipt({ ...receipt, signed: { ...signed, x402: signer.toX402({ ...receipt, ...other }, slug) } }, keys)
    expect(beside({})).toMatchObject({ isProven: true })
    const others: Partial<typeof receipt>[] = [
      { path: '/elsewhere' },
      { network: 'eip155:84532' },
      { payer: testPayTo },
      { transaction: `0x${'ab'.repeat(32)}` },
    ]
    for (const other of others)
      expect([other, beside(other).lines.join()]).toEqual([
        other,
        expect.stringContaining('its x402 receipt is of another purchase'),
      ])
    // Receipts of the store are signed for another host.
    expect(beside({}, 'store/name').isProven).toBe(false)
  })

  it('of the store belongs to its own host, and one of a reversed payment is not an x402 receipt', async () => {
    const { receipt } = await buy()
    const signer = makeReceiptSigner(shop.key, places)
    const { signature } = signer.toX402(receipt, 'store/name')
    const [head = '', payload = ''] = signature.split('.').map((part) => Buffer.from(part, 'base64url').toString())
    expect(JSON.parse(head).kid).toMatch(/^did:web:game\.farthing\.test#/)
    expect(JSON.parse(payload).resourceUrl).toBe('http://game.farthing.test/leaflet')
    const other = await openSigning()
    const answer = await other.buyLeaflet(header)
    await other.db.updateTable('sale').set({ reversed_at: 1 }).execute()
    const reversed = await other.payments.receipts.find(answer.headers.get('x-receipt-id') ?? '')
    expect(reversed?.signed?.x402).toBeUndefined()
    expect(
      verifyReceipt(JSON.parse(JSON.stringify(reversed)), await keysOf(other.db, other.key)).lines.at(-1),
    ).toContain('reversed')
  })
})

describe('the receipt key', () => {
  it('is created once, readable by its owner only, or derived from the secret of the installation', () => {
    const dataDir = folder()
    const { x } = readReceiptKey({ dataDir, secret: undefined })
    expect(readReceiptKey({ dataDir, secret: undefined }).x).toBe(x)
    expect(statSync(join(dataDir, 'receipts.key')).mode & 0o777).toBe(0o600)
    const secret = 'a secret of the tests that is long enough'
    const [one, two] = [folder(), folder()].map((empty) => readReceiptKey({ dataDir: empty, secret }).x)
    expect([one === two, one === x]).toEqual([true, false])
  })

  it('stays published after a key change, so that older receipts remain provable', async () => {
    const { receipt } = await buy()
    rmSync(join(shop.dataDir, 'receipts.key'))
    const next = readReceiptKey({ dataDir: shop.dataDir, secret: undefined })
    await publishKey(shop.db, next, () => Date.now() + 1000)
    const keys = await keysOf(shop.db, next)
    const listed = ({ verificationMethod }: typeof keys) =>
      verificationMethod.map((method: { publicKeyJwk: { x: string } }) => method.publicKeyJwk.x)
    expect(listed(keys)).toEqual([next.x, shop.key.x])
    expect(verifyReceipt(receipt, keys).isProven).toBe(true)
    // The operator goes back to the earlier key.
    await publishKey(shop.db, shop.key, () => Date.now() + 2000)
    expect(listed(await keysOf(shop.db, shop.key))).toEqual([shop.key.x, next.x])
  })

  it('signs the operator’s record of a refund', async () => {
    const refund = {
      ...{
        sale_id: 'r_1',
        amount: '100000',
        asset: '0xa',
        network: 'eip155:8453',
        payer: '0xp',
        seen: 'hand' as const,
      },
      ...{ transaction_hash: null, log_index: null, note: 'by bank', refunded_at: 1 },
    }
    const { facts, signed } = toRefundNote(refund, makeReceiptSigner(shop.key, places))
    const [method] = (await keysOf(shop.db)).verificationMethod.filter(
      (one: { publicKeyJwk: { x: string } }) => one.publicKeyJwk.x === shop.key.x,
    )
    expect(await verifyReceiptSignatureJWS({ format: 'jws', signature: signed }, method.publicKeyJwk)).toEqual(facts)
  })
})

describe('a repeated download of a product', () => {
  it('has an entity tag and a digest, and is skipped for a client that paid and has it', async () => {
    const gate = shop.gateOf(leaflet)
    const { header: fresh } = await signPayment({ amount: 100_000n, token: 'another-token' })
    const ask = (headers: Record<string, string>) => gate(new Request(`${baseUrl}/leaflet`, { headers }))
    const paid = await ask({ 'payment-signature': fresh, 'if-none-match': '*' })
    expect(paid.status).toBe(200)
    const bytes = Buffer.from(await paid.arrayBuffer())
    const digest = createHash('sha256').update(bytes)
    expect(paid.headers.get('repr-digest')).toBe(`sha-256=:${digest.copy().digest('base64')}:`)
    const etag = paid.headers.get('etag') ?? ''
    expect(etag).toBe(`"${digest.digest('hex')}"`)
    const had = await ask({ 'payment-signature': fresh, 'if-none-match': etag })
    expect([had.status, await had.text(), had.headers.get('etag')]).toEqual([304, '', etag])
    expect(had.headers.get('x-receipt-id')).toBe(paid.headers.get('x-receipt-id'))
    expect((await ask({ 'payment-signature': fresh, 'if-none-match': '"other"' })).status).toBe(200)
    // An entity tag without a payment is worth nothing.
    expect((await ask({ 'if-none-match': etag })).status).toBe(402)
  })
})
