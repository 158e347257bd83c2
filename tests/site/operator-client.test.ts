import { join } from 'node:path'
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
import { makeOauthRecords } from '../../src/oauth/oauth-records.ts'
import { makeSignInLinks } from '../../src/oauth/sign-in-links.ts'
import { findFreePort } from '../../src/sandbox/port.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { buildFor } from '../support/build-elsewhere.ts'
import { answerOf, follow, locationOf, makeOauthClient, openBrowser, redirectUri } from '../support/oauth-client.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'

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
}, 60_000)
afterAll(async () => {
  await site?.kill('SIGTERM')
  build?.remove()
})

/** What a program remembers of its sign-in, as the library asks for it. */
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

/** The operator agrees, with a printed link, to what the program sent the browser to. */
async function agree(page: URL): Promise<URLSearchParams> {
  const db = await openLedgerDatabase(join(site.dataDir, 'ledger.db'))
  const link = await makeSignInLinks({
    records: makeOauthRecords({ db, now: Date.now }),
    baseUrl,
    now: Date.now,
  }).make()
  await db.destroy()
  const browser = openBrowser()
  const asked = await follow(browser, page.href, baseUrl)
  const { answer } = await follow(browser, locationOf(await browser(asked.url, { answer: 'link', link })), baseUrl)
  return answerOf(locationOf(answer))
}

it('lets a stock client find the way from a 401 alone, call the operator’s tools, and lose them again', async () => {
  const { kept, provider } = makeMemory()
  const client = new Client({ name: 'a-client', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/api/mcp`), { authProvider: provider })
  await client.connect(transport)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['sales_report', 'list_unsettled', 'run_job']))
  // What everybody may do needs no sign-in.
  await client.callTool({ name: 'get_stats', arguments: {} })
  expect(kept.page).toBeUndefined()

  const report = { name: 'sales_report', arguments: { days: 7 } }
  await expect(client.callTool(report)).rejects.toThrow(UnauthorizedError)
  await transport.finishAuth(await agree(kept.page ?? new URL(baseUrl)))
  const { structuredContent } = await client.callTool(report)
  expect(structuredContent).toMatchObject({ days: 7, sales: 0, display: '$0.00' })

  const token = kept.tokens?.access_token ?? ''
  const { revoke } = makeOauthClient(baseUrl)
  expect((await revoke(kept.client?.client_id ?? '', token)).status).toBe(200)
  await expect(client.callTool(report)).rejects.toThrow(UnauthorizedError)
  await client.close()
  expect(site.output()).not.toContain(token)
}, 60_000)
