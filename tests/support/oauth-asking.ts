import { answerOf, follow, locationOf, makeOauthClient, openBrowser } from './oauth-client.ts'
import type { RunningOauthServer } from './oauth-server.ts'

export type Asking = Awaited<ReturnType<typeof makeAsking>>

/** A registered program, and an operator who approves it with a printed link. */
export async function makeAsking(authServer: RunningOauthServer) {
  const client = makeOauthClient(authServer.baseUrl)
  const clientId = await client.registered()

  /** A browser on the page that asks the operator. */
  async function ask(changes: Record<string, string | undefined> = {}, browser = openBrowser()) {
    const { url, verifier } = client.ask(clientId, changes)
    const { answer, url: page } = await follow(browser, url, authServer.baseUrl)
    const { status, headers } = answer
    return { browser, page, verifier, status, headers, text: await answer.text(), location: locationOf(answer) }
  }

  /** The authorization code after an approval. */
  async function getCode() {
    const { browser, page, verifier } = await ask()
    const agreed = await browser(page, { answer: 'link', link: await authServer.makeLink() })
    const { answer } = await follow(browser, locationOf(agreed), authServer.baseUrl)
    return { code: answerOf(locationOf(answer)).get('code') ?? '', verifier }
  }

  return {
    client,
    clientId,
    ask,
    getCode,
    async getTokens() {
      const { code, verifier } = await getCode()
      return client.readTokens(await client.exchange(clientId, code, verifier))
    },
  }
}
