import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { answerOf, follow, locationOf, makeOauthClient, openBrowser } from '../support/oauth-client.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'

const metadataSchema = z.looseObject({ token_endpoint: z.string() })
const nowhere = 'http://127.0.0.1:9'
const operator = fileURLToPath(new URL('../../src/setup/operator.ts', import.meta.url))

let site: RunningSite
beforeAll(async () => {
  site = await startSite({ facilitatorUrl: nowhere, rpcUrl: nowhere })
}, 60_000)
afterAll(() => site?.kill('SIGTERM'))

const order = async (name: string): Promise<string> => {
  const env = { ...process.env, DATA_DIR: site.dataDir, BASE_URL: testBaseUrl }
  return (await promisify(execFile)(process.execPath, [operator, name], { env })).stdout
}
it('lets a program in by the link that the command prints, and out by the other', async () => {
  const client = makeOauthClient(testBaseUrl, site.fetch)
  const browser = openBrowser(site.fetch)
  const clientId = await client.registered()
  const { url, verifier } = client.ask(clientId)
  const { answer, url: page } = await follow(browser, url, testBaseUrl)
  expect(page.startsWith(`${testBaseUrl}/oauth/sign-in/`)).toBe(true)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("form-action 'self' http://127.0.0.1:4999;"),
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-request-id': expect.any(String),
  })
  const text = await answer.text()
  for (const ability of ['Read what was sold', 'See payments', 'Run the site’s jobs']) expect(text).toContain(ability)
  // Nobody holds the sandbox's wallet.
  expect(text).not.toContain('Or sign with the wallet')

  const [link = ''] = (await order('sign-in')).split('\n')
  const agreed = await browser(page, { answer: 'link', link })
  const { answer: end } = await follow(browser, locationOf(agreed), testBaseUrl)
  const code = answerOf(locationOf(end)).get('code') ?? ''
  const tokens = await client.readTokens(await client.exchange(clientId, code, verifier))
  const renewed = await client.readTokens(await client.refresh(clientId, tokens.refresh_token))

  expect(await order('sign-out')).toBe('programs that acted for you: 1. None does any more.\n')
  expect((await client.refresh(clientId, renewed.refresh_token)).ok).toBe(false)
  for (const secret of [link.split('/').at(-1) ?? link, code, tokens.access_token, renewed.refresh_token])
    expect(site.output()).not.toContain(secret)
}, 60_000)

it('tells web pages, too, where tokens come from, and is silent about the rest', async () => {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/api/mcp']) {
    const document: unknown = await (await site.fetch(path)).json()
    expect(document).toMatchObject({ resource: `${testBaseUrl}/api/mcp`, authorization_servers: [testBaseUrl] })
  }
  const server = '/.well-known/oauth-authorization-server'
  const metadata = metadataSchema.parse(await (await site.fetch(server)).json())
  expect(metadata).toMatchObject({ issuer: testBaseUrl, code_challenge_methods_supported: ['S256'] })
  for (const [name, address] of Object.entries(metadata))
    if (/_endpoint$|_uri$/.test(name)) expect([name, (await site.fetch(String(address))).status]).not.toContain(404)
  const asked = await site.fetch('/oauth/register', { method: 'OPTIONS' })
  const wrong = await site.fetch('/oauth/token')
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  expect([asked.status, asked.headers.get('access-control-allow-headers')]).toEqual([
    204,
    expect.stringContaining('MCP-Protocol-Version'),
  ])
  for (const path of ['/oauth/', '/oauth/reg', '/oauth/session/end', '/.well-known/openid-configuration'])
    expect([path, (await site.fetch(path)).status]).toEqual([path, 404])
})
