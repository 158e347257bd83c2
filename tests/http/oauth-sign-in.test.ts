import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { JSDOM } from 'jsdom'
import { decodeAbiParameters, type Hex, isHex, recoverAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Asking, makeAsking } from '../support/oauth-asking.ts'
import { answerOf, follow, locationOf, openBrowser } from '../support/oauth-client.ts'
import { type RunningOauthServer, startOauthServer } from '../support/oauth-server.ts'

const owner = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())

let authServer: RunningOauthServer
let asking: Asking

beforeAll(async () => {
  authServer = await startOauthServer({ payTo: owner.address })
  asking = await makeAsking(authServer)
})
afterAll(() => authServer.close())

const messageIn = (page: string): string => /data-wallet-message>([^<]*)</.exec(page)?.[1] ?? ''
type Waiting = Awaited<ReturnType<Asking['ask']>>
const say = ({ browser, page }: Waiting, answer: Record<string, string>) => browser(page, answer)
/** Whether the operator's answer has let the program in: the browser is redirected with a code. */
const isYes = async (waiting: Waiting, answer: Response, { baseUrl } = authServer): Promise<boolean> => {
  if (answer.status !== 303) return false
  const { answer: end } = await follow(waiting.browser, locationOf(answer), baseUrl)
  return answerOf(locationOf(end)).has('code')
}

describe('a printed link', () => {
  it('shows the program when it is opened, and counts only when the operator agrees', async () => {
    const waiting = await asking.ask()
    const link = await authServer.makeLink()
    for (const method of ['GET', 'HEAD']) await fetch(link, { method })
    const opened = await (await waiting.browser(link)).text()
    expect(opened).toContain('Let A program act as the operator?')
    const key = /name="link" value="([^"]+)"/.exec(opened)?.[1] ?? ''
    expect(await isYes(waiting, await say(waiting, { answer: 'link', link: key }))).toBe(true)
  })

  it('works once, within ten minutes', async () => {
    const link = await authServer.makeLink()
    const first = await asking.ask()
    expect(await isYes(first, await say(first, { answer: 'link', link }))).toBe(true)
    const second = await asking.ask()
    const refused = await say(second, { answer: 'link', link })
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('This link was used before, or has expired')
    const own = await startOauthServer({ payTo: owner.address })
    const late = await own.makeLink()
    own.passTime(10 * 60_000 + 1)
    const there = await (await makeAsking(own)).ask()
    expect((await say(there, { answer: 'link', link: late })).status).toBe(403)
    await own.close()
  })

  it('lets the program in when its button was pressed twice and the first response was lost', async () => {
    const waiting = await asking.ask()
    const link = await authServer.makeLink()
    const unseen = await say(waiting, { answer: 'link', link })
    const seen = await say(waiting, { answer: 'link', link })
    expect(locationOf(seen)).toBe(locationOf(unseen))
    expect(await isYes(waiting, seen)).toBe(true)
    expect((await say(await asking.ask(), { answer: 'link', link })).status).toBe(403)
  })

  it('can still be used after it was opened in a browser where no program waits', async () => {
    const link = await authServer.makeLink()
    const elsewhere = await openBrowser()(link)
    expect(elsewhere.status).toBe(200)
    expect(await elsewhere.text()).toContain('This link signs this browser in for twelve hours, and works only once')
    const waiting = await asking.ask()
    expect(await isYes(waiting, await say(waiting, { answer: 'link', link }))).toBe(true)
  })

  it('lets nobody in from another browser than the one that was sent there', async () => {
    const { page } = await asking.ask()
    expect((await openBrowser()(page, { answer: 'link', link: await authServer.makeLink() })).status).toBe(404)
  })
})

it('an answer counts for the program of the page that gave it, and for no other in the same browser', async () => {
  const first = await asking.ask()
  const second = await asking.ask({}, first.browser)
  const link = await authServer.makeLink()
  expect((await say(first, { answer: 'link', link })).status).toBe(404)
  expect(await isYes(second, await say(second, { answer: 'link', link }))).toBe(true)
})

it('a program is asked about by its name, which is shown as text whatever it contains', async () => {
  const name = `</title></h1><img src=x onerror=alert(1)><script>alert(2)</script>"'&`
  const clientId = await asking.client.registered({ client_name: name })
  const { text } = await asking.ask({ client_id: clientId })
  const { document } = new JSDOM(text).window
  expect(document.querySelector('h1')?.textContent).toBe(`Let ${name} act as the operator?`)
  expect(document.title).toContain(name)
  expect(document.querySelectorAll('img, script:not([src="/operator-wallet.js"]), [onerror]')).toHaveLength(0)
})

describe('the wallet that is paid', () => {
  it('signs a message of this site that is valid once and for ten minutes', async () => {
    const { nonce, ...said } = parseSiweMessage(messageIn((await asking.ask()).text))
    expect(said).toMatchObject({ domain: new URL(authServer.baseUrl).host, address: owner.address, chainId: 8453 })
    expect(nonce?.length).toBeGreaterThanOrEqual(17)
    expect(Number(said.expirationTime) - Number(said.issuedAt)).toBe(10 * 60_000)
  })

  it('lets a program in with its signature, and with no other', async () => {
    const waiting = await asking.ask()
    const message = messageIn(waiting.text)
    for (const signature of [await stranger.signMessage({ message }), '0x', 'yes', `0x${'00'.repeat(65)}`]) {
      const refused = await say(waiting, { answer: 'wallet', signature })
      expect([refused.status, (await refused.text()).includes('not a signature')]).toEqual([403, true])
    }
    const signature = await owner.signMessage({ message })
    expect(await isYes(waiting, await say(waiting, { answer: 'wallet', signature }))).toBe(true)
  })

  it('cannot be replayed: a signature is valid for its own sign-in, and once', async () => {
    const first = await asking.ask()
    const signature = await owner.signMessage({ message: messageIn(first.text) })
    const second = await asking.ask()
    expect((await say(second, { answer: 'wallet', signature })).status).toBe(403)
    const grants = authServer.db.selectFrom('oauth_record').select('id_hash').where('kind', '=', 'Grant')
    const before = await grants.execute()
    const both = await Promise.all([1, 2].map(() => say(first, { answer: 'wallet', signature })))
    // Two clicks are one permission.
    expect(both.map(locationOf)).toEqual([1, 2].map(() => expect.stringContaining('/oauth/authorize/')))
    expect(await grants.execute()).toHaveLength(before.length + 1)
  })

  it('is not told that its signature is wrong while the chain does not respond, and is told so when it does', async () => {
    const waiting = await asking.ask()
    const signature = await stranger.signMessage({ message: messageIn(waiting.text) })
    const unasked = await (await say(waiting, { answer: 'wallet', signature })).text()
    expect(unasked).toContain('the chain does not answer')
    const chain = await startChainWithWallet(owner.address)
    const own = await startOauthServer({ payTo: owner.address, rpcUrl: chain.url })
    const there = await (await makeAsking(own)).ask()
    const wrong = await stranger.signMessage({ message: messageIn(there.text) })
    const asked = await (await say(there, { answer: 'wallet', signature: wrong })).text()
    expect(asked).toContain('This is not a signature of the message by the wallet that is paid')
    await own.close()
    chain.close()
  })

  it('is told on the operator’s page that a message is too old, or that a signature was used before', async () => {
    const authServer = await startOauthServer({ payTo: owner.address })
    const desk = `${authServer.baseUrl}/operator/sign-in`
    const ask = async () => {
      const page = await (await fetch(desk)).text()
      const message = messageIn(page)
      return {
        ticket: /name="ticket" value="([^"]+)"/.exec(page)?.[1] ?? '',
        signature: await owner.signMessage({ message }),
      }
    }
    const answer = async (form: Record<string, string>) => {
      const headers = { origin: authServer.baseUrl }
      const body = new URLSearchParams({ answer: 'wallet', ...form })
      const said = await fetch(desk, { method: 'POST', headers, body, redirect: 'manual' })
      return said.status === 303 ? 'signed in' : /role="alert">([^<]*)</.exec(await said.text())?.[1]
    }
    const signed = await ask()
    expect(await answer(signed)).toBe('signed in')
    expect(await answer(signed)).toBe('This signature was used before. Sign the message shown here now.')
    const late = await ask()
    authServer.passTime(10 * 60_000 + 1)
    expect(await answer(late)).toBe('That message was too old, or not ours. Sign the one shown here now.')
    await authServer.close()
  })

  it('may be a contract, which is asked whether the signature is valid', async () => {
    const contract = '0x00000000000000000000000000000000C0117AC7'
    const chain = await startChainWithWallet(owner.address)
    const own = await startOauthServer({ payTo: contract, rpcUrl: chain.url })
    const waiting = await (await makeAsking(own)).ask()
    const message = messageIn(waiting.text)
    const wrong = await stranger.signMessage({ message })
    expect((await say(waiting, { answer: 'wallet', signature: wrong })).status).toBe(403)
    const signature = await owner.signMessage({ message })
    expect(await isYes(waiting, await say(waiting, { answer: 'wallet', signature }), own)).toBe(true)
    await own.close()
    chain.close()
  })
})

const callSchema = z.object({
  id: z.number(),
  method: z.literal('eth_call'),
  params: z.tuple([z.object({ data: z.custom<Hex>((value) => isHex(value)) })]).rest(z.unknown()),
})

const questionSchema = z.object({ id: z.number(), method: z.string() })

/** A chain with one contract wallet, which accepts signatures by the key of its owner (ERC-1271 by way of ERC-6492). */
async function startChainWithWallet(key: string) {
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of req) body += chunk
    const question = questionSchema.parse(JSON.parse(body))
    const tell = (result: Hex) => res.end(JSON.stringify({ jsonrpc: '2.0', id: question.id, result }))
    if (question.method === 'eth_getCode') return void tell('0x60')
    const { params } = callSchema.parse(JSON.parse(body))
    if (!params[0].data.includes('c0117ac7')) return void tell('0x00')
    // The data begins with the code of the validator. Its arguments follow, first the word with the wallet's address.
    const asked: Hex = `0x${params[0].data.slice(params[0].data.lastIndexOf('c0117ac7') - 56)}`
    const [, hash, signature] = decodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }],
      asked,
    )
    const signer = await recoverAddress({ hash, signature }).catch(() => undefined)
    tell(signer === key ? '0x01' : '0x00')
  }
  const server = createServer((req, res) => void answer(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = z.custom<AddressInfo>().parse(server.address())
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
