import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { figure } from '../support/figures.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { makeAsking } from '../support/oauth-asking.ts'
import { answerOf, follow, locationOf, makeOauthClient, openBrowser } from '../support/oauth-client.ts'
import { type RunningOauthServer, startOauthServer } from '../support/oauth-server.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { isOnPostgres } from '../support/test-databases.ts'

/** More addresses than the server keeps records for. */
const households = figure(300, 5000)
const addressOf = (number: number): string => `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
const fromAddress =
  (address: string, send: typeof fetch = fetch): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-forwarded-for', address)
    return send(input, { ...init, headers })
  }
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

describe('a crowd that registers programs and begins sign-ins', () => {
  let authServer: RunningOauthServer
  beforeAll(async () => {
    authServer = await startOauthServer({ payTo: sandboxPayTo })
  })
  afterAll(() => authServer.close())

  /** A request of about the maximum length. */
  const long = { state: 'x'.repeat(7000) }
  const countOf = async (kind: string): Promise<number> => {
    const rows = await authServer.db.selectFrom('oauth_record').select('id_hash').where('kind', '=', kind).execute()
    return rows.length
  }

  it('displaces neither the programs nor the sign-in of the operator, and its records stay within bounds', async () => {
    const permitted = await makeAsking(authServer)
    const tokens = await permitted.getTokens()
    // A program that is about to be permitted: the operator has just opened the printed link for its sign-in.
    const fresh = await makeAsking(authServer)
    const waiting = await fresh.ask()
    const link = await authServer.makeLink()
    expect((await waiting.browser(link)).status).toBe(200)

    const client = makeOauthClient(authServer.baseUrl)
    const evil = await client.registered()
    for (let number = 0; number < households; number++) {
      const ask = fromAddress(addressOf(number))
      if (number % 2 === 0) expect((await makeOauthClient(authServer.baseUrl, ask).register()).status).toBe(201)
      expect(
        (await ask(client.ask(number < 200 ? evil : fresh.clientId, long).url, { redirect: 'manual' })).status,
      ).toBe(303)
    }
    expect(await countOf('Client')).toBeLessThanOrEqual(202)
    expect(await countOf('Interaction')).toBeLessThanOrEqual(501)
    expect(sizeOf(join(authServer.dataDir, 'oauth.db'))).toBeLessThan(16 * 1024 * 1024)

    const agreed = await waiting.browser(waiting.page, { answer: 'link', link })
    const { answer } = await follow(waiting.browser, locationOf(agreed), authServer.baseUrl)
    expect(answerOf(locationOf(answer)).has('code')).toBe(true)
    expect((await permitted.client.refresh(permitted.clientId, tokens.refresh_token)).status).toBe(200)
  })

  it('displaces its own records first: one sign-in stays open beside a household that begins sign-ins all the time', async () => {
    const asking = await makeAsking(authServer)
    const waiting = await asking.ask()
    for (let number = 0; number < 100; number++) {
      const ask = fromAddress(`2001:db8:1:1::${number.toString(16)}`)
      expect((await ask(asking.client.ask(asking.clientId).url, { redirect: 'manual' })).status).toBe(303)
    }
    expect((await waiting.browser(waiting.page)).status).toBe(200)
  })

  it('registers at most ten programs an hour from all addresses of an IPv6 household together', async () => {
    const statuses: number[] = []
    for (let number = 1; number <= 12; number++) {
      const ask = fromAddress(`2001:db8:2:2:${number}::${number}`)
      statuses.push((await makeOauthClient(authServer.baseUrl, ask).register()).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429])
    const neighbour = makeOauthClient(authServer.baseUrl, fromAddress('2001:db8:2:3::1'))
    expect((await neighbour.register()).status).toBe(201)
  })

  it('cannot register programs with overlong redirect addresses', async () => {
    const one = makeOauthClient(authServer.baseUrl, fromAddress('192.0.2.77'))
    const redirect_uris = Array.from({ length: 10 }, (_, at) => `https://evil.example/${at}${'界'.repeat(950)}`)
    expect((await one.register({ redirect_uris })).status).toBe(400)
  })
})

describe('the ledger of a running site', () => {
  let money: RunningMoney
  let site: RunningSite
  beforeAll(async () => {
    money = await startMoney()
    site = await startSite({ ...money, env: { TRUSTED_PROXIES: '1' } })
  })
  afterAll(async () => {
    await site.kill()
    await money.stop()
  })

  // On PostgreSQL the ledger and the sign-in are separate schemas of one database, and there is no file to compare.
  it.skipIf(isOnPostgres())('is not written to by sign-ins that strangers begin', async () => {
    const files = ['ledger.db', 'ledger.db-wal'].map((name) => join(site.dataDir, name))
    const before = files.map((file) => readFileSync(file))
    for (let number = 0; number < 60; number++) {
      const ask = fromAddress(addressOf(number), site.fetch)
      const client = makeOauthClient(testBaseUrl, ask)
      const clientId = await client.registered()
      const { answer } = await follow(openBrowser(ask), client.ask(clientId).url, testBaseUrl)
      expect(answer.status).toBe(200)
    }
    expect(files.map((file, at) => readFileSync(file).equals(before[at] ?? Buffer.alloc(0)))).toEqual([true, true])
  })
})
