import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  extractReceiptFromResponse,
  isJWSSignedReceipt,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { sign } from '../support/stock-client.ts'

const url = `${testBaseUrl}/skills/x402-buyer/raw`
let money: RunningMoney
let site: RunningSite
let bought: { header: string; answer: Response; body: string; id: string }
const folder = mkdtempSync(join(tmpdir(), 'farthing-proof-'))
beforeAll(async () => {
  money = await startMoney()
  site = await startSite(money)
  const { header } = await sign(url, undefined, { privateKey: sandboxAccounts.buyer.privateKey, fetch: site.fetch })
  const answer = await site.fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } })
  const id = answer.headers.get('x-receipt-id') ?? ''
  bought = { header, answer, body: await answer.text(), id }
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await money?.stop()
})

/** Runs commands in a shell in which the site's public name leads to the site, as DNS would do. */
function run(commands: string): Promise<{ stdout: string; code: unknown }> {
  writeFileSync(join(folder, '.curlrc'), `connect-to = "farthing.test:80:127.0.0.1:${site.port}"\n`)
  const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: folder, CURL_HOME: folder }
  return new Promise((resolve) => {
    execFile('sh', ['-ec', commands], { cwd: folder, env }, (error, stdout) =>
      resolve({ stdout, code: error?.code ?? 0 }),
    )
  })
}

/** The commands that the page of the receipt shows to copy. */
async function readShown(): Promise<string> {
  const page = await (await site.fetch(`/receipts/${bought.id}`)).text()
  const [, code = ''] = /<pre[^>]*><code>(curl -fsSLO [^<]*)<\/code>/.exec(page) ?? []
  return code.replaceAll('&amp;', '&').replaceAll('&#38;', '&')
}

it('the commands on its page verify a receipt, even when the shop is gone, and detect a changed file', async () => {
  const shown = await readShown()
  expect(shown.split('\n')).toHaveLength(4)
  const first = await run(shown)
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('signed by farthing.test\n') })
  expect(first.stdout).toContain(bought.id)
  const [, offline = ''] = /(node buy\.mjs verify .*)/.exec(shown) ?? []
  await site.kill('SIGTERM')
  try {
    writeFileSync(join(folder, 'product.md'), bought.body)
    const product = await run(`${offline} product.md`)
    expect(product).toMatchObject({ code: 0, stdout: expect.stringContaining('as the file has') })
    writeFileSync(join(folder, 'product.md'), `${bought.body} and more`)
    expect((await run(`${offline} product.md`)).code).toBe(6)
    const file = join(folder, 'receipt.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"100000"', '"900000"'))
    const forged = await run(offline)
    expect(forged).toMatchObject({ code: 6, stdout: 'not proven: the receipt was changed after it was signed\n' })
  } finally {
    // The site makes a new key. What the first one signed can still be verified.
    rmSync(join(site.dataDir, 'receipts.key'))
    site = await startSite({ ...money, dataDir: site.dataDir })
  }
})

it('comes with the product, and the reference client verifies it with an earlier key that is still published', async () => {
  const receipt = extractReceiptFromResponse(bought.answer)
  if (!receipt || !isJWSSignedReceipt(receipt)) throw new Error('no receipt came with the product')
  const did = await (await site.fetch('/.well-known/did.json')).json()
  expect(did.verificationMethod).toHaveLength(2)
  const [, old] = did.verificationMethod
  const said = await verifyReceiptSignatureJWS(receipt, old.publicKeyJwk)
  expect(said).toMatchObject({ resourceUrl: url, network: 'eip155:8453' })
  expect(said.transaction).toBe((await (await site.fetch(`/api/receipts/${bought.id}.json`)).json()).transaction)
  await expect(verifyReceiptSignatureJWS(receipt, did.verificationMethod[0].publicKeyJwk)).rejects.toThrow()
})

it('a client that has the product and the signature gets a 304; one that has only the tag is asked to pay', async () => {
  const etag = bought.answer.headers.get('etag') ?? ''
  const manifest = await (await site.fetch('/skills.json')).json()
  const item = manifest.items.find(({ slug }: { slug: string }) => slug === 'x402-buyer')
  expect(item).toMatchObject({ digest: `sha256:${etag.slice(1, -1)}`, sizeBytes: Buffer.byteLength(bought.body) })
  const had = await site.fetch(url, { headers: { 'PAYMENT-SIGNATURE': bought.header, 'If-None-Match': etag } })
  expect([had.status, await had.text(), had.headers.get('x-receipt-id')]).toEqual([304, '', bought.id])
  expect((await site.fetch(url, { headers: { 'If-None-Match': etag } })).status).toBe(402)
})
