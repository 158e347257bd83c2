import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { findFreePort } from '../../src/sandbox/port.ts'
import { buildFor } from '../support/build-elsewhere.ts'
import { answerOf, follow, locationOf, makeOauthClient, openBrowser, redirectUri } from '../support/oauth-client.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'

const metadataSchema = z.looseObject({ token_endpoint: z.string() })
const operator = fileURLToPath(new URL('../../src/commands/operator.ts', import.meta.url))
const nowhere = 'http://127.0.0.1:9'

let site: RunningSite
let baseUrl: string
let build: ReturnType<typeof buildFor>
beforeAll(async () => {
  const port = await findFreePort()
  baseUrl = `http://127.0.0.1:${port}`
  build = buildFor(baseUrl)
  const env = { BASE_URL: baseUrl, PORT: String(port) }
  site = await startSite({ facilitatorUrl: nowhere, rpcUrl: nowhere, build: build.folder, env })
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  build?.remove()
})

/** An in-memory store of OAuth state, as the client library expects it. */
function makeMemory() {
  const kept: {
    client?: StoredOAuthClientInformation
    tokens?: StoredOAuthTokens
    discovery?: OAuthDiscoveryState
    verifier?: string
    page?: URL
  } = {}
  const keep = (more: typeof kept): void => void Object.assign(kept, more)
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: 'A real client', redirect_uris: [redirectUri] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => keep({ client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => keep({ tokens }),
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (discovery) => keep({ discovery }),
    redirectToAuthorization: (page) => keep({ page }),
    saveCodeVerifier: (verifier) => keep({ verifier }),
    codeVerifier: () => kept.verifier ?? '',
    invalidateCredentials: () => void delete kept.tokens,
  }
  return { kept, provider }
}

const order = async (name: string): Promise<string> => {
  const env = { ...process.env, DATA_DIR: site.dataDir, BASE_URL: baseUrl }
  return (await promisify(execFile)(process.execPath, [operator, name], { env })).stdout
}
/** The operator approves the sign-in that a program opened in the browser. */
async function agree(page: URL, link: string): Promise<URLSearchParams> {
  const browser = openBrowser()
  const asked = await follow(browser, page.href, baseUrl)
  const { answer } = await follow(browser, locationOf(await browser(asked.url, { answer: 'link', link })), baseUrl)
  return answerOf(locationOf(answer))
}

it('lets a stock client discover the sign-in from a 401, call the operator’s tools, and lose access again', async () => {
  const { kept, provider } = makeMemory()
  const client = new Client({ name: 'a-client', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/api/mcp`), { authProvider: provider })
  await client.connect(transport)
  const list = async () => (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name)
  const ofTheOperator = ['sales_report', 'list_unsettled', 'run_job']
  expect((await list()).filter((name) => ofTheOperator.includes(name))).toEqual([])
  // Public tools need no sign-in.
  await client.callTool({ name: 'get_sales_statistics', arguments: {} })
  expect(kept.page).toBeUndefined()

  const report = { name: 'sales_report', arguments: { days: 7 } }
  await expect(client.callTool(report)).rejects.toThrow(UnauthorizedError)
  const [link = ''] = (await order('sign-in')).split('\n')
  await transport.finishAuth(await agree(kept.page ?? new URL(baseUrl), link))
  const { structuredContent } = await client.callTool(report)
  expect(await list()).toEqual(expect.arrayContaining(ofTheOperator))
  expect(structuredContent).toMatchObject({ days: 7, sales: 0, display: '$0.00' })

  const { access_token: token = '', refresh_token: refresh = '' } = kept.tokens ?? {}
  const { revoke } = makeOauthClient(baseUrl)
  expect((await revoke(kept.client?.client_id ?? '', token)).status).toBe(200)
  await expect(client.callTool(report)).rejects.toThrow(UnauthorizedError)
  await client.close()
  expect(await order('sign-out')).toBe('programs that had access: 1. All access has been revoked.\n')
  for (const secret of [link.split('/').at(-1) ?? link, token, refresh]) expect(site.output()).not.toContain(secret)
})

it('sends a stock client to the sign-in when it connects to the operator’s address', async () => {
  const { kept, provider } = makeMemory()
  const url = new URL(`${baseUrl}/api/mcp?operator`)
  const connect = async () => {
    const client = new Client({ name: 'a-client', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(url, { authProvider: provider })
    return { client, transport, connected: client.connect(transport) }
  }
  const stranger = await connect()
  await expect(stranger.connected).rejects.toThrow(UnauthorizedError)
  const [link = ''] = (await order('sign-in')).split('\n')
  await stranger.transport.finishAuth(await agree(kept.page ?? new URL(baseUrl), link))
  const { client, connected } = await connect()
  await connected
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['sales_report', 'list_unsettled', 'run_job']))
  await client.close()
  await order('sign-out')
})

it('asks for consent on a page that is not cached or framed, sends no referrer, and says what is requested', async () => {
  const client = makeOauthClient(baseUrl)
  const { url } = client.ask(await client.registered())
  const { answer, url: page } = await follow(openBrowser(), url, baseUrl)
  expect(page.startsWith(`${baseUrl}/oauth/sign-in/`)).toBe(true)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("form-action 'self' http://127.0.0.1:4999;"),
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-request-id': expect.any(String),
  })
  const text = await answer.text()
  for (const ability of ['Read what was sold', 'See payments', 'Run the site’s jobs']) expect(text).toContain(ability)
  // Nobody holds the key of the sandbox's wallet, so that there is no sign-in with it.
  expect(text).not.toContain('Or sign with the wallet')
})

it('publishes where tokens come from, for web pages as well, and has no other OAuth paths', async () => {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/api/mcp']) {
    const document: unknown = await (await fetch(baseUrl + path)).json()
    expect(document).toMatchObject({ resource: `${baseUrl}/api/mcp`, authorization_servers: [baseUrl] })
  }
  const server = '/.well-known/oauth-authorization-server'
  const metadata = metadataSchema.parse(await (await fetch(baseUrl + server)).json())
  expect(metadata).toMatchObject({ issuer: baseUrl, code_challenge_methods_supported: ['S256'] })
  for (const [name, address] of Object.entries(metadata))
    if (/_endpoint$|_uri$/.test(name)) expect([name, (await fetch(String(address))).status]).not.toContain(404)
  const asked = await fetch(`${baseUrl}/oauth/register`, { method: 'OPTIONS' })
  const wrong = await fetch(`${baseUrl}/oauth/token`)
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  expect([asked.status, asked.headers.get('access-control-allow-headers')]).toEqual([
    204,
    expect.stringContaining('MCP-Protocol-Version'),
  ])
  for (const path of ['/oauth/', '/oauth/reg', '/oauth/session/end', '/.well-known/openid-configuration'])
    expect([path, (await fetch(baseUrl + path)).status]).toEqual([path, 404])
})

it('prints what the ledger has of a wallet in the terminal, and refuses an invalid address', async () => {
  const ask = (address: string) =>
    promisify(execFile)(process.execPath, [operator, 'wallet', address], {
      env: { ...process.env, BASE_URL: baseUrl, DATA_DIR: site.dataDir },
    })
  const wallet = `0x${'a'.repeat(40)}`
  expect(JSON.parse((await ask(wallet)).stdout)).toEqual({ wallet, payments: [] })
  await expect(ask('ada')).rejects.toThrow('give the address of one wallet')
})
