import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFreePort } from '../../src/sandbox/port.ts'
import { makeOauthClient } from '../support/oauth-client.ts'
import { type RunningOauthServer, startOauthServer } from '../support/oauth-server.ts'
import { launchFor } from '../support/site-browser.ts'

const owner = privateKeyToAccount(generatePrivateKey())

let authServer: RunningOauthServer
let browser: Browser
/** The program that asked for the sign-in; it listens on this machine for the redirect. */
let program: Server
let redirect: string
let start: string
const heard: string[] = []

beforeAll(async () => {
  authServer = await startOauthServer({ payTo: owner.address })
  const port = await findFreePort()
  redirect = `http://127.0.0.1:${port}/answer`
  program = createServer((req, res) => {
    const code = new URL(req.url ?? '', redirect).searchParams.get('code')
    if (code !== null) heard.push(code)
    res.writeHead(200, { 'content-type': 'text/plain' }).end('back in the program')
  }).listen(port, '127.0.0.1')
  await once(program, 'listening')
  const client = makeOauthClient(authServer.baseUrl)
  const { client_id: clientId } = await (await client.register({ redirect_uris: [redirect] })).json()
  start = client.ask(clientId, { redirect_uri: redirect }).url
  browser = await launchFor(authServer)
})
afterAll(async () => {
  await browser?.close()
  await authServer?.close()
  program?.close()
})

/** Opens the sign-in as the program does, and records errors in the browser's console. */
async function open(options: Parameters<Browser['newPage']>[0]): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage(options)
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}

it('redirects to the program after a printed link, on a phone and without scripts', async () => {
  const { page, complaints } = await open({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
  await page.goto(start)
  expect(await page.getByRole('button', { name: 'Sign with a wallet in this browser' }).isVisible()).toBe(false)
  await page.goto(await authServer.makeLink())
  await page.getByRole('button', { name: 'Allow' }).click()
  expect(await page.getByText('back in the program').isVisible()).toBe(true)
  expect(heard.splice(0)).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
  expect(complaints).toEqual([])
  await page.close()
})

it('redirects to a program that listens on the IPv6 loopback address', async () => {
  const client = makeOauthClient(authServer.baseUrl)
  const back = 'http://[::1]:8765/answer'
  const { client_id: clientId } = await (await client.register({ redirect_uris: [back] })).json()
  const { page } = await open({})
  await page.goto(client.ask(clientId, { redirect_uri: back }).url)
  await page.goto(await authServer.makeLink())
  const asked = page.waitForRequest((request) => request.url().startsWith(back))
  // Nothing listens there, and a machine may lack IPv6: it is enough that the browser requests the address.
  await page.getByRole('button', { name: 'Allow' }).click()
  expect(new URL((await asked).url()).searchParams.get('code')).toMatch(/^[\w-]{43}$/)
  await page.close()
})

it('redirects to the program after a signature of a wallet in the browser', async () => {
  const { page, complaints } = await open({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await page.exposeFunction('walletSigns', (raw: `0x${string}`) => owner.signMessage({ message: { raw } }))
  await page.addInitScript(`window.ethereum = { request: ({ method, params }) =>
    method === 'personal_sign' ? window.walletSigns(params[0]) : Promise.resolve(['${owner.address.toLowerCase()}']) }`)
  await page.goto(start)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await page.evaluate(axe.source)
  expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([])
  await page.getByRole('button', { name: 'Sign with a wallet in this browser' }).click()
  await page.getByText('back in the program').waitFor()
  expect(heard.splice(0)).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
  expect(complaints).toEqual([])
  await page.close()
})

it('signs this browser in at the operator’s page with a wallet signature, which works once', async () => {
  const { page, complaints } = await open({ viewport: { width: 390, height: 740 } })
  const signed: string[] = []
  await page.exposeFunction('walletSigns', async (raw: `0x${string}`) => {
    const signature = await owner.signMessage({ message: { raw } })
    signed.push(signature)
    return signature
  })
  await page.addInitScript(`window.ethereum = { request: ({ method, params }) =>
    method === 'personal_sign' ? window.walletSigns(params[0]) : Promise.resolve(['${owner.address.toLowerCase()}']) }`)
  await page.goto(`${authServer.baseUrl}/operator/sign-in`)
  await page.evaluate(axe.source)
  expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([])
  const ticket = await page.locator('form[data-wallet] input[name=ticket]').inputValue()
  const send = (fields: Record<string, string>) =>
    fetch(`${authServer.baseUrl}/operator/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ answer: 'wallet', ...fields }),
      headers: { origin: authServer.baseUrl },
      redirect: 'manual',
    })
  await page.getByRole('button', { name: 'Sign with a wallet in this browser' }).click()
  await page.waitForURL(`${authServer.baseUrl}/operator`)
  const cookies = await page.context().cookies()
  expect(cookies.find(({ name }) => name === 'farthing_operator')).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  const [signature = ''] = signed
  const later = ticket.replace(/\.(\d+)\./, (_, at: string) => `.${Number(at) + 1}.`)
  for (const shown of [
    { ticket, signature },
    { ticket: later, signature },
    { ticket: '', signature: '0x12' },
  ]) {
    const refused = await send(shown)
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([403, null])
  }
  // This server has no operator page after the sign-in.
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
  await page.close()
})
