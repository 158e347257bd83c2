import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { oauthPaths } from '../../src/oauth/places.ts'
import { allowOf, answerers, cacheControls, type Host, type Route, toPattern, typesOf } from '../../src/routes/route.ts'
import { routes } from '../../src/routes/routes.ts'
import { testedOffers } from '../support/tested-offers.ts'
import type { Service } from './asking.ts'
import { builtFiles, type Names, toAddress, toNames } from './filled-paths.ts'

const pagesFolder = fileURLToPath(new URL('../../src/pages/', import.meta.url))
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Routes without content in the tested installation, because nobody signs in and there is no cup; the mirror, which
 * responds only to the doctor; and previews of drafts, which respond only to their secret key (which their own tests
 * have).
 */
const isEmpty = ({ path, by }: Route): boolean =>
  path === '/api/mirror' ||
  path.startsWith('/previews/') ||
  by === 'operator' ||
  /^\/api\/cup(?:s|-runs)\/\{/.test(path) ||
  (by === 'oauth' && /\{|authorize$/.test(path))
/** Routes that need a signed-in wallet; tests/unit/owners-library.test.ts signs in. */
const isOwned = ({ operations }: Route): boolean =>
  operations.GET?.problems?.includes('wallet-sign-in-required') ?? false
/** The pages of a life that ended a moment ago, as that of the test did, must not be cached yet. */
const isOfDeath = ({ path }: Route): boolean => path.startsWith('/death/{id}.')
/** Queries that these routes need. */
const queries: Readonly<Record<string, string>> = {
  '/api/search.json': '?q=payment',
  '/api/transcripts/search.json': '?q=lantern',
  '/api/store/entitlements': '?player=Veteran',
}

/**
 * Routes of larger installations: those that game hosts on one database ask each other, where the tested one is alone,
 * the parts of a sitemap, which is one file here, and the pages of long lists.
 */
const ofLists = ['/posts', '/podcast', '/tags/{tag}', '/authors/{author}'].map((path) => `${path}/older/{number}`)
const larger = ['/api/hosts', '/sitemap-{part}.xml', ...ofLists]
const answered = routes.filter(({ path }) => !larger.includes(path))

/** Compares the table of routes with both programs as they run, and with what those say about their routes. */
export function addresses(service: Service): void {
  describe('Every address', () => {
    let names: Names
    beforeAll(async () => {
      names = await toNames(service())
    })
    const ask = (route: Route, init: RequestInit, query = '') =>
      service().fetch(toAddress(route, names) + query, { redirect: 'manual', ...init })
    const each = async (chosen: readonly Route[], find: (route: Route) => Promise<string | undefined>) => {
      const wrong: string[] = []
      for (const route of chosen) {
        const found = await find(route)
        if (found !== undefined) wrong.push(`${route.host} ${route.path}: ${found}`)
      }
      expect(wrong).toEqual([])
      expect(chosen.length).toBeGreaterThan(90)
    }
    const read = answered.filter((route) => route.operations.GET && !isEmpty(route))

    it('that can be read responds with its media type and its Cache-Control', () =>
      each(read, async (route) => {
        const { answer = '', status = 200 } = route.operations.GET ?? {}
        const answered = await ask(route, {}, queries[route.path])
        await answered.arrayBuffer()
        const type = answered.headers.get('content-type')?.split(';')[0] ?? ''
        const said = `${answered.status} ${type} ${answered.headers.get('cache-control')}`
        const types = typesOf(answer)
        if (isOwned(route)) return said === '401 application/problem+json no-store' ? undefined : said
        const isRight =
          answered.status === status &&
          (types.includes(type) || types.includes('*/*') || types.length === 0) &&
          (status === 308 ||
            route.by === 'tools' ||
            types.includes('*/*') ||
            answered.headers.get('cache-control') === cacheControls[route.cache] ||
            (isOfDeath(route) && answered.headers.get('cache-control') === 'no-store'))
        // The tool server of the game responds to a plain GET that it has no event stream.
        return isRight || route.path === '/mcp' ? undefined : said
      }))

    it('refuses every other method and names those that it allows', () =>
      each(answered, async (route) => {
        for (const method of methods.filter((name) => !(name in route.operations))) {
          const { status, headers } = await ask(route, { method })
          if (status !== 405 || headers.get('allow') !== allowOf(route))
            return `${method} ${status} ${headers.get('allow')}`
        }
        return undefined
      }))

    it('lists its methods for OPTIONS, also for pages of other origins unless it is a page itself', () =>
      each(answered, async (route) => {
        const { status, headers } = await ask(route, { method: 'OPTIONS' })
        const cors = headers.get('access-control-allow-methods')
        const said = `${status} ${headers.get('allow')}, to other origins ${cors}`
        const isPage = route.by === 'page' || route.by === 'live page' || route.by === 'asset'
        const isRight =
          status === 204 &&
          headers.get('allow') === allowOf(route) &&
          (isPage || Object.keys(route.operations).every((method) => cors?.includes(method)))
        return isRight ? undefined : said
      }))

    const missing = (host: Host, paths: readonly string[], chosen = routes.filter((route) => route.host === host)) =>
      paths.filter((path) => !chosen.some((route) => toPattern(route).test(path)))

    it('of the build is in the table as a page, a file or a part of pages', () => {
      const built = builtFiles()
      const isBuilt = (route: Route) => answerers[route.by].isBuilt
      for (const host of ['site', 'game'] as const) {
        const paths = Object.keys(built[host]).filter((path) => !/^\/(?:404|500)$/.test(path))
        expect(
          missing(
            host,
            paths,
            routes.filter((route) => route.host === host && isBuilt(route)),
          ),
        ).toEqual([])
      }
    })

    it('that Astro renders on request is in the table, or is sold', () => {
      const running = readdirSync(pagesFolder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(?:ts|astro)$/.test(file))
        .filter((file) => readFileSync(join(pagesFolder, file), 'utf8').includes('prerender = false'))
        .map(
          (file) =>
            `/${file
              .replaceAll('\\', '/')
              .replace(/(?:\/index)?\.(?:ts|astro)$/, '')
              .replace(/\[(\w+)\]/g, '$1')}`,
        )
      const sold = testedOffers().map(({ family, path }) => (family?.routeTemplate ?? path).replaceAll(':', ''))
      expect(missing('site', running).filter((path) => !sold.includes(path))).toEqual([])
      expect(running.length).toBeGreaterThan(15)
    })

    it('that gives programs a token is in the table', () => {
      const { authorize, token, register, revoke, jwks, serverMetadata, resourceMetadata, signIn, link } = oauthPaths
      const paths = [
        authorize,
        token,
        register,
        revoke,
        jwks,
        serverMetadata,
        ...resourceMetadata.map(({ path }) => path),
      ]
      expect(missing('site', [...paths, `${signIn}x`, `${link}x`])).toEqual([])
    })

    it('of the game host is in the table with its methods', () => {
      const described = routes.filter(({ host }) => host === 'game')
      const answered = service().gameRoutes.flatMap(({ path, handlers }) =>
        Object.keys(handlers).map((method) => ({
          method,
          path: path.replace('receipts/:id', 'receipts/x.json').replace(':id', 'x'),
        })),
      )
      const isKnown = ({ method, path }: { method: string; path: string }) =>
        described.some((route) => method in route.operations && toPattern(route).test(path))
      expect(answered.filter((route) => !isKnown(route))).toEqual([])
      expect(answered.length).toBeGreaterThan(25)
    })
  })
}
