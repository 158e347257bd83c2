import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { storeProducts } from '../../game-server/store/products.ts'
import { routes } from '../../src/routes/routes.ts'
import { findLinks } from '../support/find-links.ts'
import { testGameUrl } from '../support/running-service.ts'
import { testBaseUrl } from '../support/running-site.ts'
import { testedOffers } from '../support/tested-offers.ts'
import { type Service, toPost } from './asking.ts'
import { origins } from './filled-paths.ts'

/** The documents that directories read at fixed addresses, before they know anything else. */
const fixed = routes
  .filter(
    ({ path, host }) =>
      /^\/(?:\.well-known\/(?!oauth-auth)[^{]+|auth\.md)$/.test(path) || (host === 'site' && path === '/'),
  )
  .map(({ host, path }) => origins[host] + path)
const emptyObject = toPost({})

export function discoveryDocuments(service: Service): void {
  describe('Discovery documents', () => {
    /** An address as a client uses it: a template is filled in, and a search gets a query. */
    const toUsed = (link: string): string => {
      const url = new URL(
        decodeURI(link).replace('{storage_key}', service().storageKey).replace(':slug', 'feed-doctor'),
      )
      if (url.pathname.endsWith('/search.json') && url.search === '') url.search = '?q=payment'
      url.hash = ''
      return url.href
    }
    const open = async (link: string) => {
      const first = await service().fetch(toUsed(link))
      const isPost = first.status === 405 && first.headers.get('allow')?.includes('POST')
      const answer = isPost ? await service().fetch(toUsed(link), emptyObject) : first
      const type = answer.headers.get('content-type') ?? ''
      const text = Buffer.from(await answer.arrayBuffer()).toString()
      return { status: answer.status, type, text, header: answer.headers.get('link') ?? '' }
    }

    it('name only addresses that respond, on either host', async () => {
      const named = new Map<string, string>()
      for (const url of fixed) {
        const { status, type, text, header } = await open(url)
        expect(`${url} ${status}`).toBe(`${url} 200`)
        const inHeader = [...header.matchAll(/<([^>]*)>/g)].map(([, link = '']) => new URL(link, url).href)
        const inText = [testBaseUrl, testGameUrl].flatMap((origin) =>
          url === `${testBaseUrl}/` ? [] : findLinks(text, { type, url: `${origin}/` }),
        )
        for (const link of [...inHeader, ...inText]) named.set(link, url)
      }
      const dead: string[] = []
      for (const [link, by] of named) {
        const { status } = await open(link)
        // A paid address responds with its price, and a tool server with 400, because the request is empty.
        const isAnswer = status === 200 || status === 402 || (status === 400 && link.endsWith('/mcp'))
        if (!isAnswer) dead.push(`${link} (${status}), named in ${by}`)
      }
      expect(dead).toEqual([])
      expect(named.size).toBeGreaterThan(30)
    })

    it.each([testBaseUrl, testGameUrl])('of %s give the digest of every free skill as it is served', async (origin) => {
      const { skills } = JSON.parse((await open(`${origin}/.well-known/agent-skills/index.json`)).text)
      expect(skills).toHaveLength(1)
      for (const { name, url, digest } of skills) {
        const { type, text } = await open(url)
        expect(type).toMatch(/^text\/markdown/)
        expect(digest).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`)
        expect((await open(`${origin}/.well-known/skills/${name}/SKILL.md`)).text).toBe(text)
      }
    })

    it.each([
      [testBaseUrl, testedOffers().length],
      [testGameUrl, storeProducts.length],
    ])('of %s state the terms that the 402 of each of %i products states', async (origin, count) => {
      const { items } = JSON.parse((await open(`${origin}/.well-known/x402`)).text)
      expect(items).toHaveLength(count)
      for (const { url, method, isMinimum, example, accepts } of items) {
        // If the list states a minimum price, the request is sent without the example that would raise it.
        const init = example === undefined || isMinimum ? { method } : toPost(example)
        const { accepts: asked } = await (await service().fetch(url, init)).json()
        expect(accepts).toEqual(asked)
      }
    })
  })
}
