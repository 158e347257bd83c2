import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { advertisedPrice, type Offer } from '../../src/offers/offer.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { type FaultyFacilitator, startFaultyFacilitator } from '../support/faulty-facilitator.ts'
import { figure, limitMs } from '../support/figures.ts'
import { type Variation, varyHeaders } from '../support/header-variations.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type Spelling, spellPath, spellPrivateFiles } from '../support/path-spellings.ts'
import { makeProductDetector } from '../support/product-bytes.ts'
import {
  headerOf,
  openRawConnections,
  type RawAnswer,
  type RawConnections,
  textOf,
} from '../support/raw-connections.ts'
import { type RunningSite, startSite, testBuild } from '../support/running-site.ts'
import { decodeHeader } from '../support/stock-client.ts'
import { testedOffers } from '../support/tested-offers.ts'

const methods = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT QUERY PROPFIND M-SEARCH'.split(' ')
/** No methods of this server. They are tried with few headers, because each of them ends the connection. */
const malformed = ['get', 'Get', 'GETS', '', '"GET"', 'GET\t']
const isDeep = figure(0, 1) === 1
const offers = testedOffers()
const findProduct = makeProductDetector(testBuild())
/** The names of the files that are sold. The folder also holds facts and pictures that are public. */
const sold = readdirSync(buildFiles(testBuild()).privateTexts).filter(
  (name) =>
    ![
      'skills.json',
      'podcast-posts.json',
      'redirects.json',
      'coming-redirects.json',
      'coming-lists.json',
      'covers',
    ].includes(name),
)

interface Probe {
  offer: Offer
  method: string
  spelling: Spelling
  variation: Variation
}

/** The path as it is with every method and all headers; its other spellings with methods and headers in rotation. */
function* makeProbes(): Generator<Probe> {
  let turn = 0
  for (const offer of offers) {
    const variations = varyHeaders(offer.path)
    const rotate = <T>(list: readonly T[]): T => list[turn++ % list.length] as T
    for (const spelling of spellPath(offer.path)) {
      const isEverythingTried = isDeep || spelling.target === offer.path
      const tried = isEverythingTried ? methods : [offer.method, offer.method, 'HEAD', rotate(methods)]
      for (const method of tried)
        for (const variation of isEverythingTried ? variations : [rotate(variations)])
          yield { offer, method, spelling, variation }
      yield { offer, method: rotate(malformed), spelling, variation: rotate(variations) }
    }
  }
}

const toRequest = ({ method, spelling, variation }: Probe): string => {
  const { lines, body = '', version = 'HTTP/1.1' } = variation
  return `${method} ${spelling.target} ${version}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`
}

const isFreeLanding = ({ offer, method, spelling }: Probe): boolean =>
  offer.id === 'bot-catalog' && spelling.target.endsWith('?inspect=1') && (method === 'GET' || method === 'HEAD')

/** What is wrong with a response to a client that did not pay; undefined if nothing is. */
function findFault(probe: Probe, answer: RawAnswer): string | undefined {
  const { offer, method, spelling, variation } = probe
  const product = findProduct(answer.bytes.toString('latin1')) ?? findProduct(textOf(answer))
  if (product) return `holds bytes of the ${product}`
  if (answer.is === 'silent') return 'is not given'
  if (isFreeLanding(probe))
    return [200, 402, ...(variation.answers ?? [])].includes(answer.status) ? undefined : 'is odd'
  const isUnderstood = spelling.isCanonical && !variation.answers
  if (isUnderstood && method === 'OPTIONS') return answer.status === 204 ? undefined : 'is no preflight'
  if ((answer.status >= 200 && answer.status < 300) || answer.status === 304) return 'calls it a success'
  if (answer.status >= 500) return 'is an error of the server'
  if (!spelling.isCanonical || method !== offer.method) return undefined
  if (!(variation.answers ?? [402]).includes(answer.status)) return 'is not the one documented'
  if (answer.status !== 402) return undefined
  const terms = decodeHeader(headerOf(answer, 'payment-required') ?? null)
  return isQuote(terms, offer) ? undefined : 'quotes other terms'
}

const isQuote = (terms: unknown, offer: Offer): boolean => {
  const [term] = (terms as { accepts?: { amount: string; payTo: string }[] } | undefined)?.accepts ?? []
  return term?.amount === advertisedPrice(offer).toString() && term.payTo === sandboxPayTo
}

const describeProbe = ({ method, spelling, variation }: Probe): string =>
  `${method} ${JSON.stringify(spelling.target)} (${spelling.name}; ${variation.name})`

let money: RunningMoney
let facilitator: FaultyFacilitator
let site: RunningSite
let raw: RawConnections
beforeAll(async () => {
  money = await startMoney()
  facilitator = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
  site = await startSite({
    facilitatorUrl: facilitator.url,
    rpcUrl: money.rpcUrl,
    program: 'tests/hostile/watched-site.ts',
  })
  raw = openRawConnections(site.port, { count: 16 })
})
afterAll(async () => {
  raw?.close()
  await site?.kill('SIGTERM')
  await facilitator?.close()
  await money?.stop()
})

describe('the detector of these tests', () => {
  it('finds every product that exists before it is bought, whole and in part', () => {
    expect(sold.length).toBeGreaterThanOrEqual(10)
    for (const name of sold) {
      const text = readFileSync(join(buildFiles(testBuild()).privateTexts, name), 'utf8')
      expect([name, findProduct(text), findProduct(JSON.stringify(text))]).not.toContain(undefined)
      expect([name, findProduct(text.slice(text.length / 2))]).not.toContain(undefined)
    }
  })

  it('finds them in compressed responses', () => {
    const bytes = readFileSync(join(buildFiles(testBuild()).privateTexts, 'posts-export.json'))
    const packed = { gzip: gzipSync(bytes), br: brotliCompressSync(bytes) }
    for (const [encoding, body] of Object.entries(packed)) {
      const headers = [['content-encoding', encoding]] as const
      expect(findProduct(textOf({ status: 404, headers, body, bytes: body, is: 'complete' }))).toBe('posts export')
    }
  })

  it('finds none in the files of the build that are free', () => {
    const { client } = buildFiles(testBuild())
    for (const item of readdirSync(client, { recursive: true, withFileTypes: true }))
      if (item.isFile() && !/\.(?:br|gz)$/.test(item.name)) {
        const file = join(item.parentPath, item.name)
        expect([file, findProduct(readFileSync(file, 'utf8'))]).toEqual([file, undefined])
      }
  })
})

describe('a client that does not pay', () => {
  it('gets no byte of a product, however method, path and headers are written', {
    timeout: limitMs(600_000, 3_600_000),
  }, async ({ annotate }) => {
    const faults: string[] = []
    const statuses = new Map<number, number>()
    const started = performance.now()
    const probes = makeProbes()
    let count = 0
    const work = async () => {
      for (const probe of probes) {
        count += 1
        const answer = await raw.ask(toRequest(probe), { alone: probe.variation.alone ?? false })
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        const fault = findFault(probe, answer)
        if (fault) faults.push(`${describeProbe(probe)}: the answer ${answer.status} ${fault}`)
      }
    }
    await Promise.all(Array.from({ length: 16 }, work))
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    await annotate(`${count} requests in ${seconds} s: ${JSON.stringify(Object.fromEntries(statuses))}`)
    expect(faults.slice(0, 20)).toEqual([])
    expect(count).toBeGreaterThan(10_000)
    expect(raw.strays).toEqual([])
    expect(statuses.get(402)).toBeGreaterThan(1000)
  })

  it('gets none from the places where the build keeps them', async () => {
    for (const target of spellPrivateFiles(sold)) {
      const answer = await raw.ask(`GET ${target} HTTP/1.1\r\nHost: farthing.test\r\n\r\n`)
      expect([target, findProduct(textOf(answer))]).toEqual([target, undefined])
      if (!offers.some(({ path }) => path === target))
        expect([target, answer.status]).toEqual([target, expect.toBeOneOf([400, 404])])
    }
  })

  it('gets none for a request without headers, as in HTTP/0.9', async () => {
    for (const { path, method } of offers) {
      const answer = await raw.ask(`${method} ${path}\r\n\r\n`, { alone: true })
      expect([path, answer.status]).toEqual([path, 400])
    }
  })

  it('caused nothing: no work, no question to the facilitator, no transfer, no sale', async () => {
    expect(site.output()).not.toContain('made')
    expect(facilitator.calls).toMatchObject({ verify: 0, settle: 0 })
    expect(await money.transfersTo()).toEqual([])
    const stats = await (await site.fetch('/api/stats.json')).json()
    expect(stats.totalTransactions).toBe(0)
    expect(site.output()).not.toContain('server.error')
  })
})
