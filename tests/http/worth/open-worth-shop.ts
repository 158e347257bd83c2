import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { crawlerCatalogSchema } from '../../../functions/bot-catalog/crawler-catalog.ts'
import { sandboxAccounts } from '../../../src/config/sandbox-accounts.ts'
import { crawlersSchema } from '../../../src/content/crawlers-schema.ts'
import { postsExportSchema } from '../../../src/content/posts-export-schema.ts'
import { makeEpisode } from '../../support/make-episode.ts'
import { drawLines, makePdf } from '../../support/make-pdf.ts'
import { startMoney } from '../../support/money.ts'
import { openPretendWeb } from '../../support/pretend-web.ts'
import { runProgram } from '../../support/run-program.ts'
import { startSite, testBaseUrl, testBuild } from '../../support/running-site.ts'
import { payingFetch } from '../../support/stock-client.ts'
import { openTestLedger, toPlace } from '../../support/test-databases.ts'

/** The slug of the post that has a narration. */
export const heard = 'fair-play'
/** The crawlers as the repository lists them. */
export const { crawlers } = crawlersSchema.parse(JSON.parse(readFileSync('content/crawlers.json', 'utf8')))

const operators = [
  ...new Set(
    crawlers
      .flatMap(({ docsUrl, ipRangesUrl, alternateIpRangesUrl }) => [docsUrl, ipRangesUrl, alternateIpRangesUrl ?? null])
      .flatMap((url) => (url === null ? [] : [new URL(url).hostname])),
  ),
]
const toJson = (value: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })

/** Operators of crawlers, one of which publishes its ranges and one lost its page; and a site with all kinds of pages. */
const openWeb = () =>
  openPretendWeb({
    ...Object.fromEntries(operators.map((host) => [host, { '*': '<p>About our crawler.</p>' }])),
    'openai.com': { '/gptbot.json': toJson({ prefixes: [{ ipv4Prefix: '52.230.152.0/24' }] }) },
    'webz.io': {},
    'news.test': {
      '/tides': '<title>Tides</title><nav><a href="/">Home</a></nav><main><p>The <a href="/moon">moon</a>.</p></main>',
      '/feed': { headers: { 'content-type': 'application/rss+xml' }, body: '<rss><title>News</title></rss>' },
      '/data': toJson({ name: 'Heights' }),
      '/table': { headers: { 'content-type': 'text/csv' }, body: 'day,height\n1,4.2\n' },
      '/paper': {
        headers: { 'content-type': 'application/pdf' },
        body: makePdf([drawLines(['The bay', '', 'It has tides.'])], { title: 'On tides' }),
      },
      '/app': '<div id="root"></div><script src="/app.js"></script>',
    },
  })

/** Runs the job that asks the operators of crawlers, as the operator of a site would. */
async function askOperators(dataDir: string, outside: Record<string, string>): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', ...(await toPlace(dataDir)), BASE_URL: testBaseUrl, ...outside }
  const program = ['src/commands/job.ts', 'crawler-check']
  const { status, stdout, stderr } = await runProgram(process.execPath, program, { cwd: process.cwd(), env })
  expect([status, stdout.toString(), stderr.toString()]).toEqual([0, expect.stringContaining('1 list of address'), ''])
}

/** Opens a shop with something of every kind; the writing and the catalog are bought when it opens. */
export async function openWorthShop() {
  const money = await startMoney()
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-worth-'))
  const episode = await makeEpisode({ build: testBuild(), folder: join(dataDir, 'audio'), slug: heard, units: 2 })
  const web = await openWeb()
  const outside = { EGRESS_TEST_HOSTS: web.egress('news.test', ...operators), EGRESS_TEST_CA: web.caFile }
  await (await openTestLedger(dataDir)).destroy()
  await askOperators(dataDir, outside)
  const { fetch, kill } = await startSite({ ...money, dataDir, env: outside })
  const buy = (path: string, init?: RequestInit) =>
    payingFetch(sandboxAccounts.buyer.privateKey, fetch)(testBaseUrl + path, init)
  const send = (path: string, body: unknown) =>
    buy(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return {
    money,
    fetch,
    episode,
    buy,
    send,
    pack: (...paths: readonly string[]) =>
      send('/api/x402/llms/pack', { urls: paths.map((path) => `https://news.test${path}`) }),
    free: async (path: string): Promise<string> => (await fetch(path)).text(),
    bundle: await (await buy('/llms-full.txt')).text(),
    exported: postsExportSchema.parse(await (await buy('/api/export/posts')).json()),
    catalog: crawlerCatalogSchema.parse(await (await buy('/api/x402/agent-seo/bot-catalog')).json()),
    async close(): Promise<void> {
      await kill('SIGTERM')
      await web.close()
      await money.stop()
    },
  }
}

export type WorthShop = Awaited<ReturnType<typeof openWorthShop>>

/** By product, the claims of docs/products.md, each with its check against what was bought and what is free. */
export type Proofs = Readonly<Record<string, Readonly<Record<string, (shop: WorthShop) => Promise<void> | void>>>>
