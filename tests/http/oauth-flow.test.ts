import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { type Asking, makeAsking } from '../support/oauth-asking.ts'
import { answerOf, follow, locationOf, makeOauthClient, openBrowser } from '../support/oauth-client.ts'
import { type RunningOauthServer, startOauthServer } from '../support/oauth-server.ts'

let authServer: RunningOauthServer
let client: ReturnType<typeof makeOauthClient>
let asking: Asking

beforeAll(async () => {
  authServer = await startOauthServer({ payTo: sandboxPayTo })
  client = makeOauthClient(authServer.baseUrl)
  asking = await makeAsking(authServer)
})
afterAll(() => authServer.close())

describe('what a program may register', () => {
  it.each([
    ['a script', ['javascript:alert(1)']],
    ['plain http elsewhere', ['http://example.com/callback']],
    ['a scheme of its own', ['cursor://callback']],
    ['a name and password', ['https://user:secret@example.com/']],
    ['nothing', []],
    ['one bad among good ones', ['https://example.com/', 'http://192.0.2.1/']],
    ['a script among good ones', ['https://example.com/', 'JavaScript:alert(1)']],
    ['a document among good ones', ['https://example.com/', 'data:text/html,x']],
    ['a file among good ones', ['https://example.com/', 'file:///etc/passwd']],
    ['a blob among good ones', ['https://example.com/', 'blob:https://example.com/x']],
    ['what is no address among good ones', ['https://example.com/', '//example.com/']],
    ['schemes of its own alone', ['cursor://anysphere.cursor-mcp/oauth/callback', 'com.example.app:/cb']],
  ])('refuses a redirect to %s', async (_, redirects) => {
    const refused = await client.register({ redirect_uris: redirects })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      error: expect.stringMatching(/^invalid_(redirect_uri|client_metadata)$/),
    })
  })

  it('drops custom schemes of a program that also lists valid addresses, and redirects nobody to them', async () => {
    // Cursor registers like this.
    const own = 'cursor://anysphere.cursor-mcp/oauth/callback'
    const good = ['https://www.cursor.com/agents/mcp/oauth/callback', 'http://localhost:8787/callback']
    const answer = await client.register({ redirect_uris: [own, ...good] })
    expect(answer.status).toBe(201)
    const { client_id: clientId, redirect_uris: kept } = await answer.json()
    expect(kept).toEqual(good)
    const statusOf = async (redirect: string) => {
      const { url } = client.ask(clientId, { redirect_uri: redirect })
      const { answer: shown } = await follow(openBrowser(), url, authServer.baseUrl)
      return [shown.status, await shown.text()]
    }
    expect(await statusOf('http://localhost:8787/callback')).toEqual([200, expect.stringContaining('localhost:8787')])
    expect(await statusOf(own)).toEqual([400, expect.stringContaining('This request cannot be answered')])
  })

  it('makes it a public client without a secret, and stores no fields that are not used', async () => {
    const answer = await client.register({
      redirect_uris: ['https://example.com/callback'],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'implicit'],
      scope: 'openid operator offline_access',
      jwks_uri: 'http://169.254.169.254/keys',
      sector_identifier_uri: 'http://169.254.169.254/sector',
    })
    expect(answer.status).toBe(201)
    const body: unknown = await answer.json()
    expect(body).toMatchObject({
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['https://example.com/callback'],
    })
    for (const name of ['client_secret', 'scope', 'jwks_uri', 'sector_identifier_uri'])
      expect(body).not.toHaveProperty(name)
  })

  it('accepts only a name that is one plain line', async () => {
    for (const name of ['a\nb', 'turned \u202e round', 'x'.repeat(81)])
      expect((await client.register({ client_name: name })).status).toBe(400)
  })

  it('lets one address register ten programs an hour, and deletes those that the operator has not permitted', async () => {
    const own = await startOauthServer({ payTo: sandboxPayTo })
    const flood = makeOauthClient(own.baseUrl)
    const here = { 'x-forwarded-for': '198.51.100.9' }
    for (let at = 0; at < 10; at++) expect((await flood.register({}, here)).status).toBe(201)
    const refused = await flood.register({}, here)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 3500]).toEqual([429, true])
    expect((await flood.register({}, { 'x-forwarded-for': '198.51.100.10' })).status).toBe(201)
    own.passTime(61 * 60 * 1000)
    expect((await flood.register({}, here)).status).toBe(201)
    own.passTime(24 * 60 * 60 * 1000)
    await flood.register({}, here)
    expect(await own.db.selectFrom('oauth_record').select('kind').execute()).toEqual([{ kind: 'Client' }])
    await own.close()
  })

  it('keeps the newest two hundred programs that the operator has not permitted', async () => {
    const own = await startOauthServer({ payTo: sandboxPayTo })
    const crowd = makeOauthClient(own.baseUrl)
    const known = async () => (await own.db.selectFrom('oauth_record').select('id_hash').execute()).length
    for (let at = 0; at < 200; at++) {
      own.passTime(1000)
      expect((await crowd.register({}, { 'x-forwarded-for': `198.51.100.${at}` })).status).toBe(201)
    }
    expect(await known()).toBe(200)
    const last = await crowd.registered()
    expect(await known()).toBe(200)
    expect((await follow(openBrowser(), crowd.ask(last).url, own.baseUrl)).answer.status).toBe(200)
    await own.close()
  })
})

describe('what a program may ask', () => {
  it.each([
    ['another address than its own', { redirect_uri: 'http://127.0.0.1:4999/elsewhere' }],
    ['an address of somebody else', { redirect_uri: 'https://attacker.example/callback' }],
  ])('shows the error itself, and redirects nobody to %s', async (_, changes) => {
    const { status, headers, text, location } = await asking.ask(changes)
    expect([status, location]).toEqual([400, ''])
    expect(text).toContain('This request cannot be answered')
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'"),
      'referrer-policy': 'no-referrer',
    })
  })

  it.each([
    ['no proof', { code_challenge: undefined, code_challenge_method: undefined }, 'requires PKCE'],
    ['a proof in plain text', { code_challenge_method: 'plain' }, 'code_challenge_method'],
    ['another resource', { resource: 'https://other.example/api' }, 'resource'],
    ['an answer without asking', { prompt: 'none' }, 'the operator has to agree'],
  ])('shows itself what is wrong with %s, and redirects nobody', async (_, changes, reason) => {
    const { status, text, location } = await asking.ask(changes)
    expect([status, location]).toEqual([400, ''])
    expect(text).toContain(reason)
  })

  it('names the program, where the result is sent and what the program will be able to do', async () => {
    const { status, text } = await asking.ask()
    expect(status).toBe(200)
    for (const part of ['Let A program act as the operator?', '127.0.0.1:4999', 'Knock on the door', 'Deny'])
      expect(text).toContain(part)
  })

  it('asks only once for prompt=consent, and grants nothing but the one scope that there is', async () => {
    const { clientId } = asking
    const waiting = await asking.ask({ prompt: 'consent', scope: 'openid operator offline_access' })
    const agreed = await waiting.browser(waiting.page, { answer: 'link', link: await authServer.makeLink() })
    const { answer } = await follow(waiting.browser, locationOf(agreed), authServer.baseUrl)
    const code = answerOf(locationOf(answer)).get('code') ?? ''
    const given: unknown = await (await client.exchange(clientId, code, waiting.verifier)).json()
    expect(given).toMatchObject({ scope: 'operator', expires_in: 900 })
    expect(given).not.toHaveProperty('id_token')
  })

  it.each([
    ['nothing', undefined],
    ['an empty scope', ''],
    ['what other servers have', 'openid mcp:tools'],
  ])('gives the one scope to a program that asks for %s, when the operator agrees', async (_, scope) => {
    const waiting = await asking.ask({ scope })
    const agreed = await waiting.browser(waiting.page, { answer: 'link', link: await authServer.makeLink() })
    const { answer } = await follow(waiting.browser, locationOf(agreed), authServer.baseUrl)
    const code = answerOf(locationOf(answer)).get('code') ?? ''
    const given = await client.readTokens(await client.exchange(asking.clientId, code, waiting.verifier))
    const renewed = await client.readTokens(await client.refresh(asking.clientId, given.refresh_token))
    expect([given.scope, renewed.scope]).toEqual(['operator', 'operator'])
  })

  it('tells the program when the operator denies it', async () => {
    const { browser, page } = await asking.ask()
    const { answer } = await follow(browser, locationOf(await browser(page, { answer: 'deny' })), authServer.baseUrl)
    expect(Object.fromEntries(answerOf(locationOf(answer)))).toMatchObject({ error: 'access_denied', state: 'a state' })
  })
})

it('uses https behind a proxy with TLS, in every address and for all cookies', async () => {
  const own = await startOauthServer({ payTo: sandboxPayTo, publicUrl: 'https://shop.example' })
  const toHouse: typeof fetch = (input, init) => fetch(String(input).replace(own.baseUrl, own.local), init)
  const secure = makeOauthClient(own.baseUrl, toHouse)
  const sent = await toHouse(secure.ask(await secure.registered()).url, { redirect: 'manual' })
  expect(locationOf(sent)).toMatch(/^\/oauth\/sign-in\//)
  const cookies = sent.headers.getSetCookie()
  expect(cookies.filter((cookie) => !/; secure/.test(cookie) || !/; httponly/.test(cookie))).toEqual([])
  expect(cookies.length).toBeGreaterThan(1)
  const browser = openBrowser(toHouse)
  const { url: page } = await follow(browser, secure.ask(await secure.registered()).url, own.baseUrl)
  const agreed = await browser(page, { answer: 'link', link: await own.makeLink() })
  expect(locationOf(agreed).startsWith('https://shop.example/oauth/authorize/')).toBe(true)
  await own.close()
})
