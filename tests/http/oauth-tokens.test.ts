import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { sha256 } from '../../src/core/sha256.ts'
import { makeAdapter } from '../../src/oauth/make-adapter.ts'
import { makeRegisteredClients } from '../../src/oauth/registered-clients.ts'
import { type Asking, makeAsking } from '../support/oauth-asking.ts'
import { answerOf, follow, locationOf, makeOauthClient } from '../support/oauth-client.ts'
import { type RunningOauthServer, startOauthServer } from '../support/oauth-server.ts'

let authServer: RunningOauthServer
let asking: Asking

beforeAll(async () => {
  authServer = await startOauthServer({ payTo: sandboxPayTo })
  asking = await makeAsking(authServer)
})
afterAll(() => authServer.close())

const refusalOf = async (answer: Response): Promise<string> =>
  `${answer.status} ${answer.headers.get('www-authenticate') ?? (await answer.text())}`

const setPayload = async (token: string, change: object): Promise<void> => {
  const row = authServer.db.selectFrom('oauth_record').select('payload').where('id_hash', '=', sha256(token))
  const payload: object = JSON.parse((await row.executeTakeFirstOrThrow()).payload)
  const changed = JSON.stringify({ ...payload, ...change })
  await authServer.db
    .updateTable('oauth_record')
    .set({ payload: changed })
    .where('id_hash', '=', sha256(token))
    .execute()
}

describe('a code', () => {
  it('gets one pair of tokens, which are revoked when it is used again', async () => {
    const { client, clientId } = asking
    const { code, verifier } = await asking.getCode()
    const tokens = await client.readTokens(await client.exchange(clientId, code, verifier))
    expect((await authServer.knock(tokens.access_token)).status).toBe(200)
    expect(await refusalOf(await client.exchange(clientId, code, verifier))).toMatch(/^400 .*invalid_grant/)
    expect((await authServer.knock(tokens.access_token)).status).toBe(401)
    expect((await client.refresh(clientId, tokens.refresh_token)).status).toBe(400)
  })

  it('revokes its tokens when another process takes it as well', async () => {
    const { client, clientId } = asking
    const { code, verifier } = await asking.getCode()
    const tokens = await client.readTokens(await client.exchange(clientId, code, verifier))
    const clients = makeRegisteredClients({ db: authServer.db, records: authServer.records, now: Date.now })
    const codes = makeAdapter({ records: authServer.records, clients, now: Date.now })('AuthorizationCode')
    await expect(codes.consume(code)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect((await authServer.knock(tokens.access_token)).status).toBe(401)
    expect((await client.refresh(clientId, tokens.refresh_token)).status).toBe(400)
  })

  it('gets nothing with another PKCE verifier or none, from another program, for another address or resource, or too late', async () => {
    const { client, clientId } = asking
    const { code, verifier } = await asking.getCode()
    const stranger = await client.registered()
    const tries = [
      client.exchange(clientId, code, `${verifier.slice(1)}x`),
      client.exchange(clientId, code, ''),
      client.exchange(stranger, code, verifier),
      client.exchange(clientId, code, verifier, { redirect_uri: 'http://127.0.0.1:4999/elsewhere' }),
      client.exchange(clientId, code, verifier, { resource: 'https://other.example/api' }),
    ]
    for (const answer of await Promise.all(tries)) expect([answer.status, answer.ok]).toEqual([400, false])
    const late = await startOauthServer({ payTo: sandboxPayTo })
    const there = await makeAsking(late)
    const old = await there.getCode()
    late.passTime(61_000)
    expect(await refusalOf(await there.client.exchange(there.clientId, old.code, old.verifier))).toMatch(
      /invalid_grant/,
    )
    await late.close()
  })
})

describe('an access token', () => {
  it('is requested, named and accepted at each address of the tools as clients want it, and valid at both', async () => {
    const { client, clientId } = asking
    const asked = [
      ['/api/mcp', ''],
      ['/mcp', ''],
      // The address that operators give to their programs, some of which name all of it as the resource.
      ['/api/mcp', '?operator'],
      ['/mcp', '?operator='],
    ] as const
    for (const [path, ending] of asked) {
      const [, metadata = ''] =
        /resource_metadata="([^"]+)"/.exec(await refusalOf(await authServer.knock(undefined, path))) ?? []
      // A client must discard metadata of another resource than the one it asked for (RFC 9728, 3.3).
      expect(await (await fetch(metadata)).json()).toMatchObject({ resource: authServer.baseUrl + path })
      const named = { resource: authServer.baseUrl + path + ending }
      const waiting = await asking.ask(named)
      const agreed = await waiting.browser(waiting.page, { answer: 'link', link: await authServer.makeLink() })
      const { answer } = await follow(waiting.browser, locationOf(agreed), authServer.baseUrl)
      const code = answerOf(locationOf(answer)).get('code') ?? ''
      const first = await client.readTokens(await client.exchange(clientId, code, waiting.verifier, named))
      const later = await client.readTokens(await client.refresh(clientId, first.refresh_token))
      for (const { access_token: token } of [first, later])
        for (const door of ['/api/mcp', '/mcp'] as const) expect((await authServer.knock(token, door)).status).toBe(200)
    }
  })

  it('is asked for with a pointer to where to get one', async () => {
    const answer = await authServer.knock()
    expect(await refusalOf(answer)).toBe(
      `401 Bearer scope="operator", resource_metadata="${authServer.baseUrl}/.well-known/oauth-protected-resource/api/mcp"`,
    )
  })

  it('is refused when it is unknown, and when it was made for another audience', async () => {
    expect(await refusalOf(await authServer.knock('made-up'))).toMatch(/^401 Bearer error="invalid_token"/)
    const { access_token: token } = await asking.getTokens()
    await setPayload(token, { aud: 'https://other.example/api/mcp' })
    expect(await refusalOf(await authServer.knock(token))).toMatch(/^401 Bearer error="invalid_token"/)
  })

  it('is refused without the scope of the operator', async () => {
    const { access_token: token } = await asking.getTokens()
    await setPayload(token, { scope: 'reader' })
    expect(await refusalOf(await authServer.knock(token))).toMatch(
      /^403 Bearer error="insufficient_scope".*scope="operator"/,
    )
  })

  it('is invalid at once when it is revoked, and its refresh token cannot bring it back', async () => {
    const { client, clientId } = asking
    const tokens = await asking.getTokens()
    expect((await client.revoke(clientId, tokens.access_token)).status).toBe(200)
    expect((await authServer.knock(tokens.access_token)).status).toBe(401)
    expect((await client.refresh(clientId, tokens.refresh_token)).status).toBe(400)
  })

  it('stays valid when another program asks to revoke it', async () => {
    const { access_token: token } = await asking.getTokens()
    await asking.client.revoke(await asking.client.registered(), token)
    expect((await authServer.knock(token)).status).toBe(200)
  })
})

describe('a refresh token', () => {
  it('is replaced with each use, and everything is revoked when an old one is used again', async () => {
    const { client, clientId } = asking
    const first = await asking.getTokens()
    const second = await client.readTokens(await client.refresh(clientId, first.refresh_token))
    expect((await authServer.knock(second.access_token)).status).toBe(200)
    expect((await client.refresh(clientId, first.refresh_token)).status).toBe(400)
    expect((await authServer.knock(second.access_token)).status).toBe(401)
    expect((await client.refresh(clientId, second.refresh_token)).status).toBe(400)
  })
})

it('remembers programs and tokens across a restart, and lets them expire', async () => {
  const before = await startOauthServer({ payTo: sandboxPayTo })
  const { clientId, getTokens } = await makeAsking(before)
  const tokens = await getTokens()
  await before.close({ keep: true })
  const after = await startOauthServer({ payTo: sandboxPayTo, dataDir: before.dataDir, port: before.port })
  const client = makeOauthClient(after.baseUrl)
  expect((await after.knock(tokens.access_token)).status).toBe(200)
  after.passTime(15 * 60_000)
  expect((await after.knock(tokens.access_token)).status).toBe(401)
  const renewed = await client.refresh(clientId, tokens.refresh_token)
  const { refresh_token: newer } = await client.readTokens(renewed)
  after.passTime(30 * 24 * 60 * 60_000)
  expect((await client.refresh(clientId, newer)).ok).toBe(false)
  await after.close()
})

it('revokes everything at once when the operator signs out', async () => {
  const own = await startOauthServer({ payTo: sandboxPayTo })
  const { client, clientId, getTokens } = await makeAsking(own)
  const [one, two] = [await getTokens(), await getTokens()]
  expect(await own.records.forgetAll()).toBe(2)
  for (const { access_token: token, refresh_token: refresh } of [one, two])
    expect([(await own.knock(token)).status, (await client.refresh(clientId, refresh)).ok]).toEqual([401, false])
  await own.close()
})

it('stores no usable token in the ledger, and writes none to the log', async () => {
  const { code, verifier } = await asking.getCode()
  const tokens = await asking.client.readTokens(await asking.client.exchange(asking.clientId, code, verifier))
  const link = await authServer.makeLink()
  const kept = JSON.stringify(await authServer.db.selectFrom('oauth_record').selectAll().execute())
  const secrets = [code, verifier, tokens.access_token, tokens.refresh_token, link.split('/').at(-1) ?? link]
  for (const secret of secrets) {
    expect(kept).not.toContain(secret)
    expect(authServer.logged.join()).not.toContain(secret)
  }
})
