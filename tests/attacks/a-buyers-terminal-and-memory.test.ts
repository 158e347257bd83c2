import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deliver } from '../../src/buyer/deliver.ts'
import { sendRequest } from '../../src/buyer/send-request.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { type HostileShop, openHostileShop, type Trick } from '../support/hostile-shop.ts'
import { runProgram } from '../support/run-program.ts'

const main = join(import.meta.dirname, '../../src/buyer/main.ts')
/** Clears the screen, sets the title and reverses the direction of the text, with 7-bit and 8-bit control codes. */
const evil = '\u001b[2J\u001b]0;title\u0007\u009b31m\u202enothing was charged\u2066\u2028\rpaid'
const headerEvil = '\u009b2J\u009d0;title'
// Allows line breaks, because the program writes those itself.
const control = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

let shop: HostileShop
let home: string
beforeAll(async () => {
  shop = await openHostileShop(() => ({}))
})
afterAll(() => shop?.close())
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'farthing-home-'))
})

const buy = (...args: string[]) =>
  runProgram(process.execPath, [main, `${shop.url}/thing`, ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, FARTHING_PRIVATE_KEY: sandboxAccounts.buyer.privateKey },
  })

const terminal = () => {
  const stream: PassThrough & { isTTY?: boolean } = new PassThrough()
  stream.isTTY = true
  return stream
}

describe('a shop that writes to the terminal of its buyer', () => {
  it.each<[string, Trick, Trick]>([
    [
      'a refusal before the payment',
      { status: 400, body: { detail: evil, errors: [{ pointer: evil, detail: evil }] } },
      {},
    ],
    ['a redirect before the payment', { status: 302, headers: { location: `/${headerEvil}` } }, {}],
    ['terms nobody can pay', { terms: { scheme: evil, network: evil } }, {}],
    ['the reason of a 402', {}, { reason: evil }],
    ['a refusal after the payment', {}, { status: 404, body: { detail: evil } }],
    ['a redirect after the payment', {}, { status: 307, headers: { location: `/${headerEvil}` } }],
    [
      'the content type of a product',
      {},
      { status: 200, headers: { 'content-type': `text/${headerEvil}`, 'x-receipt-id': `r_${headerEvil}` }, body: 'ok' },
    ],
    ['the product in a report', {}, { status: 200, headers: { 'content-type': 'text/plain' }, body: evil }],
  ])('cannot write control characters through %s', async (_, quote, answer) => {
    shop.answer = ({ payment }) => (payment ? answer : quote)
    const { stdout, stderr } = await buy('--json')
    expect(stderr).not.toMatch(control)
    expect(stdout.toString()).not.toMatch(control)
    const report = JSON.parse(stdout.toString())
    if (answer.body === evil) expect(report.product.text).toBe(evil)
  })

  it('has a text with control characters saved to a file instead, byte for byte', async () => {
    const stdout = terminal()
    const folder = process.cwd()
    process.chdir(home)
    try {
      const product = (text: string) => ({
        bytes: new Uint8Array(Buffer.from(text)),
        headers: new Headers({ 'content-type': 'text/plain' }),
        url: new URL('https://shop.example/thing.txt'),
      })
      const where = { output: undefined, json: false, stdout }
      expect(await deliver(product(evil), where)).toEqual({ is: 'file', path: 'thing.txt' })
      expect(stdout.read()).toBeNull()
      expect(readFileSync(join(home, 'thing.txt'), 'utf8')).toBe(evil)
      expect(await deliver(product('plain\ttext\r\n— and more\n'), where)).toEqual({ is: 'output' })
      expect(readdirSync(home)).toEqual(['thing.txt'])
    } finally {
      process.chdir(folder)
    }
  })
})

describe('a shop whose response never ends', () => {
  const endless = (status: number): typeof fetch => {
    let sent = 0
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 65_536
          if (sent > 8 * 1024 * 1024) controller.error(new Error('more was read than is needed'))
          else controller.enqueue(new Uint8Array(65_536))
        },
      })
    return async () => new Response(body(), { status })
  }

  it.each([402, 400, 503])('is not read beyond the limit for error messages in a %i', async (status) => {
    const order = { method: 'GET', url: new URL('https://shop.example/'), body: undefined } as const
    expect(await sendRequest(endless(status), order)).toEqual({ is: 'lost', reason: expect.stringContaining('larger') })
  })
})
