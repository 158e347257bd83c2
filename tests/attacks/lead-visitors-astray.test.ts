import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { follow, locationOf, makeOauthClient, openBrowser } from '../support/oauth-client.ts'
import { type RunningOauthServer, startOauthServer } from '../support/oauth-server.ts'

const trap = 'https://evil.example/looks-like-ours'

let authServer: RunningOauthServer
let client: ReturnType<typeof makeOauthClient>
let clientId: string

beforeAll(async () => {
  authServer = await startOauthServer({ payTo: sandboxPayTo })
  client = makeOauthClient(authServer.baseUrl)
  clientId = await client.registered({ client_name: 'Your bank', redirect_uris: [trap] })
})
afterAll(() => authServer.close())

const linkTo = (changes: Record<string, string | undefined>): string =>
  client.ask(clientId, { redirect_uri: trap, ...changes }).url

const wrongRequests: [string, Record<string, string | undefined>][] = [
  ['an answer without asking', { prompt: 'none' }],
  ['an answer without asking and another scope', { prompt: 'none', scope: 'openid' }],
  ['a prompt that does not exist', { prompt: 'nobody' }],
  ['two prompts that exclude each other', { prompt: 'none login' }],
  ['another response type', { response_type: 'token' }],
  ['no response type', { response_type: undefined }],
  ['another scope', { scope: 'everything' }],
  ['no proof', { code_challenge: undefined, code_challenge_method: undefined }],
  ['a proof in plain text', { code_challenge_method: 'plain' }],
  ['another resource', { resource: 'https://other.example/' }],
  ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
  ['a request somewhere else', { request_uri: 'https://evil.example/request' }],
  ['registration by the way', { registration: '{}' }],
  ['an age that is none', { prompt: 'none', max_age: '-1' }],
  ['a hint of who it is', { prompt: 'none', id_token_hint: 'x' }],
  ['a state that breaks lines', { prompt: 'none', state: 'a\r\nlocation: https://evil.example/' }],
]
const modes = [undefined, 'query', 'fragment', 'form_post', 'web_message', 'jwt', 'query.jwt', 'nonsense']

describe('a link to our own sign-in that a stranger made', () => {
  it.each(wrongRequests)('redirects nobody away with %s, in any response mode', async (_, changes) => {
    for (const response_mode of modes) {
      const { answer, url } = await follow(openBrowser(), linkTo({ ...changes, response_mode }), authServer.baseUrl)
      const text = await answer.text()
      const stays = [answer.headers.get('location'), answer.headers.get('refresh'), text.includes(trap)]
      expect([response_mode, ...stays]).toEqual([response_mode, null, null, false])
      expect(url.startsWith(authServer.baseUrl)).toBe(true)
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
    }
  })

  it('does not redirect an operator who denies it, without a second click that names the host', async () => {
    for (const response_mode of [undefined, 'fragment', 'form_post']) {
      const browser = openBrowser()
      const { url: page } = await follow(browser, linkTo({ response_mode }), authServer.baseUrl)
      const denied = await browser(page, { answer: 'deny' })
      const { answer } = await follow(browser, locationOf(denied), authServer.baseUrl)
      const text = await answer.text()
      expect([answer.headers.get('location'), text.includes('<form'), text.includes('<script')]).toEqual([
        null,
        false,
        false,
      ])
      expect(text).toMatch(response_mode === 'form_post' ? /Denied|cannot be answered/ : /Tell evil\.example about it/)
    }
  })

  it('sends the decision of the operator to the program, and nothing before that', async () => {
    const browser = openBrowser()
    const { url: page, answer: shown } = await follow(browser, linkTo({}), authServer.baseUrl)
    expect(await shown.text()).toContain('evil.example')
    const agreed = await browser(page, { answer: 'link', link: await authServer.makeLink() })
    const { answer } = await follow(browser, locationOf(agreed), authServer.baseUrl)
    expect(locationOf(answer)).toMatch(/^https:\/\/evil\.example\/looks-like-ours\?code=/)
    // The operator's browser has a session for some minutes, which must not count as consent to another request.
    const again = await follow(browser, linkTo({ prompt: 'none' }), authServer.baseUrl)
    expect([again.answer.status, locationOf(again.answer)]).toEqual([400, ''])
  })
})
