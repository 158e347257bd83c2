import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { listen } from '../../src/http/listen.ts'
import { findFreePort } from '../../src/sandbox/port.ts'
import { isHere } from '../support/deployed-proxies.ts'
import { makeEpisode } from '../support/make-episode.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { commandsOf, installSkill } from '../support/read-skill.ts'
import { runProgram } from '../support/run-program.ts'
import { type RunningSite, startSite, testBaseUrl, testBuild } from '../support/running-site.ts'

const post = 'anatomy-of-a-402'
let money: RunningMoney
let site: RunningSite
let home: string
/** A server that asks for a token; it runs the program of the skill about MCP. */
let guard: Server
let guarded: string
beforeAll(async () => {
  money = await startMoney()
  home = mkdtempSync(join(tmpdir(), 'farthing-skills-'))
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-skills-data-'))
  await makeEpisode({ build: testBuild(), folder: join(dataDir, 'audio'), slug: post, units: 2 })
  site = await startSite({ ...money, dataDir })
  // Leads the real name to our site for everything that curl requests, as DNS would do.
  writeFileSync(join(home, '.curlrc'), `connect-to = "farthing.test:80:127.0.0.1:${site.port}"\n`)
  const folder = installSkill('mcp-server-craft').folder
  writeFileSync(
    join(folder, 'tokens.ts'),
    "export const verifyAccessToken = async () => { throw new Error('unknown') }",
  )
  const { protectedFetch } = await import(/* @vite-ignore */ join(folder, 'auth.ts'))
  const answer = getRequestListener((request) => protectedFetch({ fetch: () => new Response() }, request), {
    overrideGlobalObjects: false,
  })
  guard = createServer((request, response) => void answer(request, response))
  guarded = `http://127.0.0.1:${(await listen(guard, { host: '127.0.0.1', port: 0 })).port}/mcp`
})
afterAll(async () => {
  guard?.close()
  await site?.kill('SIGTERM')
  await money?.stop()
})

const run = async (text: string, cwd = home, env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = await runProgram('sh', ['-c', text], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
  })
  return { status, said: stdout.toString(), stderr }
}

/** The commands of a skill, with the addresses of our own site. */
const localCommandsOf = (slug: string): string[] =>
  commandsOf(slug, (text) =>
    text
      .replaceAll('https://shop.example', testBaseUrl)
      .replaceAll('/posts/first', `/posts/${post}`)
      .replaceAll(`${testBaseUrl}/cms/mcp`, guarded)
      .replaceAll(`${testBaseUrl}/mcp`, `${testBaseUrl}/api/mcp`),
  )

describe('the commands about sites', () => {
  const expected: readonly RegExp[] = [
    /^HTTP\/1\.1 200 OK\r?\ncontent-type: text\/plain.*\r?\n(?:.*\n)*Content-Signal: (?:.*\n)*User-agent: GPTBot\n(?:.*\n)*Sitemap: /i,
    /^(?:200 http:\/\/farthing\.test\/\S*\n){20}$/,
    /^link: .*rel="?(?:api-catalog|service-desc|service-doc|alternate)/i,
    /^text\/html; charset=utf-8 {2}<- text\/html\n(?:text\/markdown; charset=utf-8 {2}<- text\/markdown.*\n){2}text\/plain.*\ntext\/html.*\nHTTP\/1\.1 200 OK\r?\n(?:content-type: text\/markdown)/i,
    /"serverInfo"/,
    /^www-authenticate: Bearer .*resource_metadata=/i,
    /^"3\.1\.0"\n"1\.0\.0"\n\d+\n$/,
  ]

  it('print what they should about our own site', async () => {
    const commands = localCommandsOf('agent-ready-site')
    expect(commands).toHaveLength(expected.length)
    for (const [at, command] of commands.entries()) {
      const { said, stderr } = await run(command)
      expect([command, said, stderr]).toEqual([command, expect.stringMatching(expected[at] ?? /^$/), ''])
    }
  })

  it('end in an audit that our own site passes', async () => {
    const folder = installSkill('agent-ready-site').folder
    const { said, status } = await run(`sh audit.sh ${testBaseUrl} /posts/${post}`, folder)
    expect(said.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([])
    expect([said.match(/^pass /gm)?.length, status]).toEqual([expect.any(Number), 0])
  })
})

describe('the commands about feeds and podcasts', () => {
  it('find the feeds that a page leads to', async () => {
    const [discovery = ''] = localCommandsOf('feed-doctor').filter((command) => command.startsWith('curl'))
    const { said } = await run(discovery)
    expect(said).toMatch(/application\/rss\+xml[\s\S]*application\/feed\+json/)
  })

  it('find nothing wrong with our JSON Feed, and say what is wrong with another', async () => {
    const folder = installSkill('feed-doctor').folder
    const check = `node check-json-feed.mjs`
    const good = await run(`curl -sS ${testBaseUrl}/feed.json | ${check}`, folder)
    expect([good.said, good.status]).toEqual([expect.stringMatching(/^ok, \d+ items\n$/), 0])
    const bad = await run(`printf '{"version":"1","items":[{"id":1,"url":"/a"}]}' | ${check}`, folder)
    expect([bad.said, bad.status]).toEqual([expect.stringContaining('items[0].url is not absolute'), 1])
  })

  it('find nothing wrong with our RSS feeds, and say what is wrong with another document', async ({ skip }) => {
    skip(!isHere('xmllint'), 'xmllint is not installed here; .ci/run installs it')
    const folder = installSkill('feed-doctor').folder
    const check = (path: string) => run(`sh check-rss.sh ${testBaseUrl}${path}`, folder)
    expect(await check('/podcast.xml')).toEqual({ status: 0, said: 'INFO  1 items\n', stderr: '' })
    expect(await check('/rss.xml')).toEqual({
      status: 0,
      said: expect.stringMatching(/^INFO {2}\d+ items\n$/),
      stderr: '',
    })
    const other = await check('/feed.json')
    expect([other.said, other.status]).toEqual([expect.stringMatching(/content type: .*json[\s\S]*not well formed/), 1])
  })

  it('count in our Atom feed what they say they should count', async ({ skip }) => {
    skip(!isHere('xmllint'), 'xmllint is not installed here; .ci/run installs it')
    const counts = localCommandsOf('feed-doctor').find((command) => command.includes('xmllint')) ?? ''
    const expected = [...counts.matchAll(/# (\d)$/gm)].map(([, count]) => `${count}\n`)
    expect(expected).toHaveLength(7)
    const { said, stderr } = await run(`curl -sS -o feed.xml ${testBaseUrl}/atom.xml\n${counts}`)
    expect([said, stderr]).toEqual([expected.join(''), ''])
  })

  it('get a range of a recording', async () => {
    const [serving = ''] = localCommandsOf('podcast-from-posts')
    const { said } = await run(serving)
    expect(said).toMatch(/^HTTP\/1\.1 200 [\s\S]*audio\/mpeg[\s\S]*HTTP\/1\.1 206 [\s\S]*content-range: bytes 0-99\//i)
  })
})

describe('the seller and the buyer of the two skills', () => {
  let seller: ChildProcess
  let url: string
  let folder: string
  const guide = '# The guide\n\nAll of it.\n'
  const env = () => ({
    BUYER_PRIVATE_KEY: sandboxAccounts.buyer.privateKey,
    RPC_URL: money.rpcUrl,
    KNOWN_PAY_TO: sandboxPayTo,
  })
  /** Replaces the addresses of the skill's shop with the one that runs here. */
  const toLocal = (text: string): string =>
    text.replaceAll('https://shop.example/skills/guide/raw', url).replaceAll('https://shop.example/guide', url)

  beforeAll(async () => {
    const port = await findFreePort()
    url = `http://127.0.0.1:${port}/guide`
    const shop = installSkill('x402-seller', toLocal).folder
    mkdirSync(join(shop, 'content'))
    writeFileSync(join(shop, 'content', 'guide.md'), guide)
    writeFileSync(
      join(shop, 'serve.ts'),
      `import { serve } from '@hono/node-server'
import { GET } from './main.ts'
serve({ fetch: GET, hostname: '127.0.0.1', port: ${port} }, () => console.log('open'))`,
    )
    const env = { FACILITATOR_URL: money.facilitatorUrl, RPC_URL: money.rpcUrl, PAY_TO_ADDRESS: sandboxPayTo }
    seller = spawn(process.execPath, ['serve.ts'], { cwd: shop, env, stdio: ['ignore', 'pipe', 'inherit'] })
    if (seller.stdout) await once(seller.stdout, 'data')
    folder = installSkill('x402-buyer', toLocal).folder
  })
  afterAll(() => seller?.kill())

  it('shows its terms to curl', async () => {
    const [read = ''] = commandsOf('x402-buyer', toLocal)
    const { said } = await run(read, folder)
    expect(JSON.parse(said)).toMatchObject({ x402Version: 2, accepts: [{ amount: '100000', payTo: sandboxPayTo }] })
  })

  it('trade, once, with a receipt that is on the chain', async () => {
    const { length } = await money.transfersTo()
    const { said, stderr } = await run('node shop-run.ts', folder, env())
    expect([said, stderr]).toEqual([expect.stringMatching(/^paid in 0x[0-9a-f]{64}\n$/), ''])
    expect(readFileSync(join(folder, 'guide.md'), 'utf8')).toBe(guide)
    expect((await money.transfersTo()).slice(length).map(({ value }) => value)).toEqual([100_000n])
  })

  it('deliver again for the same signature, and know that it was used', async () => {
    const [, again = '', used = ''] = commandsOf('x402-buyer')
    const { said } = await run(`${again}\ncat product.md\n${used}`, folder, env())
    expect(said).toContain('"success": true')
    expect(said).toContain(guide)
    expect(said.trim()).toMatch(/0x0{63}1$/)
    expect(await money.transfersTo()).toHaveLength(1)
  })

  it('trade with the stock client, too', async () => {
    const { said } = await run(`node stock.ts ${url}`, folder, env())
    expect(said).toMatch(/^200 0x[0-9a-f]{64} # The guide/)
    expect(readFileSync(join(folder, 'signed.jsonl'), 'utf8').trim().split('\n')).toHaveLength(1)
  })
})
