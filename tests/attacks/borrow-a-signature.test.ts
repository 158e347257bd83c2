import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { follow, locationOf, makeOauthClient, openBrowser, redirectUri } from '../support/oauth-client.ts'
import { type RunningOauthServer, startOauthServer } from '../support/oauth-server.ts'

const owner = privateKeyToAccount(generatePrivateKey())
const trap = 'https://evil.example/callback'

let authServer: RunningOauthServer
let client: ReturnType<typeof makeOauthClient>
beforeAll(async () => {
  authServer = await startOauthServer({ payTo: owner.address })
  client = makeOauthClient(authServer.baseUrl)
})
afterAll(() => authServer.close())

/** Begins the sign-in of a program; returns the message that the page shows for the wallet, whole and its statement. */
async function askFor(clientId: string, redirect: string, browser = openBrowser()) {
  const { url } = client.ask(clientId, { redirect_uri: redirect })
  const { answer, url: page } = await follow(browser, url, authServer.baseUrl)
  const message = /data-wallet-message>([^<]*)</.exec(await answer.text())?.[1] ?? ''
  return { browser, page, message, statement: parseSiweMessage(message).statement ?? '' }
}

it('tells the signer which program gets which access, and to which host the result is sent', async () => {
  const good = await askFor(await client.registered({ client_name: 'Good desk' }), redirectUri)
  expect(good.statement).toBe(
    'Let the program [Good desk], which hears the answer at 127.0.0.1:4999, act as the operator (scope: operator). This moves no money.',
  )
  const evil = await askFor(await client.registered({ client_name: 'Good desk', redirect_uris: [trap] }), trap)
  expect(evil.statement).toContain('evil.example')
  const nameless = await askFor(await client.registered({ client_name: undefined }), redirectUri)
  expect(nameless.statement).toMatch(/^Let a program without a name, which/)
})

it.each([
  ['closes the bracket and goes on', 'Desk], which hears the answer at good.example, and not ['],
  ['is in other scripts', 'Кошелёк 财布'],
  ['has accents', 'Cafe\u0301 Zoë'],
  ['has the maximum length', 'x'.repeat(80)],
  ['looks like fields of the message', 'URI: https://good.example Nonce: 12345678'],
])('shows a name that %s as plain letters between brackets', async (_, name) => {
  const { statement, message } = await askFor(
    await client.registered({ client_name: name, redirect_uris: [trap] }),
    trap,
  )
  expect(statement).toMatch(/^Let the program \[[\w .?-]{1,43}\], which hears the answer at evil\.example, act as/)
  // What EIP-4361 allows in a statement (RFC 3986: unreserved, reserved, and the space).
  expect(statement).toMatch(/^[\w~:/?#[\]@!$&'()*+,;= .-]+$/)
  expect(message.split('\n').filter((line) => line.startsWith('URI: '))).toEqual([
    `URI: ${authServer.baseUrl}/oauth/sign-in`,
  ])
})

it('lets a program in with the signature of its own message, and with that of no other', async () => {
  const good = await client.registered({ client_name: 'Good desk' })
  const evil = await client.registered({ client_name: 'Good desk', redirect_uris: [trap] })
  const one = await askFor(good, redirectUri)
  const other = await askFor(evil, trap)
  const again = await askFor(good, redirectUri)
  expect(new Set([one, other, again].map(({ message }) => message)).size).toBe(3)
  const signature = await owner.signMessage({ message: one.message })
  for (const { browser, page } of [other, again])
    expect((await browser(page, { answer: 'wallet', signature })).status).toBe(403)
  const agreed = await one.browser(one.page, { answer: 'wallet', signature })
  const { answer } = await follow(one.browser, locationOf(agreed), authServer.baseUrl)
  expect(locationOf(answer)).toMatch(/^http:\/\/127\.0\.0\.1:4999\/callback\?code=/)
})

/** Registers a program from an address of its own, because one address may register ten programs an hour. */
async function registerElsewhere(): Promise<string> {
  const answer = await client.register({}, { 'x-forwarded-for': '203.0.113.8' })
  return z.object({ client_id: z.string() }).parse(await answer.json()).client_id
}

it('asks for the same signature however often the page is opened, and keeps nothing for it', async () => {
  const one = await askFor(await registerElsewhere(), redirectUri)
  const before = await authServer.db.selectFrom('oauth_record').select('kind').execute()
  const texts = new Set<string>()
  for (let at = 0; at < 5; at++)
    texts.add(/data-wallet-message>([^<]*)</.exec(await (await one.browser(one.page)).text())?.[1] ?? '')
  expect(texts.size).toBe(1)
  expect(await authServer.db.selectFrom('oauth_record').select('kind').execute()).toEqual(before)
})
