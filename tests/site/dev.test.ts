import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { copyRepository } from '../support/copy-repository.ts'
import { figure } from '../support/figures.ts'
import { findFreePorts } from '../support/free-ports.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { payingFetch } from '../support/stock-client.ts'

// A change takes a second, and up to minutes on a busy machine.
const patience = { timeout: 240_000, interval: 250 }
/** While the first file is there, content that is being read is held back, and then there is the second one. */
const held = { asked: 'hold', is: 'held' }
const holding = `{
  name: 'holding',
  async transform(_code, id) {
    if (!id.endsWith('astro:data-layer-content')) return
    const { existsSync, writeFileSync } = await import('node:fs')
    while (existsSync('${held.asked}')) {
      writeFileSync('${held.is}', '')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  },
}`
/** The watcher loses all but the first of a hundred files, as it does while the listing of a folder takes a second. */
const losing = `{
  name: 'losing',
  configureServer({ watcher }) {
    const { emitWithAll } = watcher
    watcher.emitWithAll = (event, args) => {
      if (!/early-[1-9]/.test(args[1])) emitWithAll.call(watcher, event, args)
    }
  },
}`
let root: string
let started: RunningSite
let child: ChildProcess
let [site, game] = ['', '']
let output = ''

/** Changes a file in the copy of the repository. */
function change(name: string, from: string, to: string): void {
  const file = join(root, name)
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}

beforeAll(async () => {
  root = copyRepository()
  // The site has several authors, one of them without posts and therefore without a page.
  change('site.config.ts', 'authors: [', "authors: [{ name: 'Ada Quill', about: 'Writes about ink.' },")
  change('content/posts/two-commands.mdx', 'tags:', 'authors: [Ada Quill, Bo]\ntags:')
  change('astro.config.mjs', 'vite: {', `vite: { plugins: [${holding}, ${losing}],`)
  const port = await findFreePorts()
  ;[site, game] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`]
  // Astro's own development server behaves differently under Vitest.
  const { VITEST: _vitest, ...env } = process.env
  child = spawn(process.execPath, [join(root, 'src/commands/dev.ts')], {
    cwd: root,
    env: {
      ...env,
      BASE_URL: '',
      NODE_ENV: 'development',
      PORT: String(port),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'farthing-dev-')),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  const nowhere = 'http://127.0.0.1:9'
  started = await startSite({ facilitatorUrl: nowhere, rpcUrl: nowhere })
  await vi.waitFor(() => expect(output).toContain('\nready http'), patience)
})
// What the page shows does not tell why a change did not arrive.
beforeEach(({ onTestFailed }) => onTestFailed(() => console.log(output.slice(-8000))))
afterAll(async () => {
  child.kill('SIGKILL')
  await started.kill()
  rmSync(root, { recursive: true, force: true })
})

const apiSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ servers: z.array(z.object({ url: z.string() })).optional() })),
  ),
})
/** Values for path parameters by the start of a path; other parameters get a name that does not exist. */
const names: Readonly<Record<string, string>> = { '/posts/': 'fair-play', '/skills/': 'x402-seller' }
const fill = (path: string): string =>
  path.replace(/\{\w+\}/, Object.entries(names).find(([start]) => path.startsWith(start))?.[1] ?? 'nothing')

/** How many pages of one folder are requested, because one route renders all of them. */
const ofAFolder = figure(1, Number.POSITIVE_INFINITY)
/** One of how many requests is made: Vite compiles a route on its first request, which takes most of the time. */
const oneOf = figure(3, 1)
const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

interface Asked {
  readonly method: string
  readonly path: string
  readonly accept: string
}

/** Requests to the pages of the sitemap, the operations of the OpenAPI document, and some other addresses. */
async function findRequests(): Promise<Asked[]> {
  const sitemap = await (await started.fetch('/sitemap.xml')).text()
  const all = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)
  const pages = [...Map.groupBy(all, folderOf)].flatMap(([folder, paths]) =>
    folder === '' ? paths : paths.slice(0, ofAFolder),
  )
  const { paths } = apiSchema.parse(await (await started.fetch('/openapi.json')).json())
  const isOfSite = ({ servers }: { servers?: { url: string }[] | undefined }) =>
    servers === undefined || servers.some(({ url }) => url === testBaseUrl)
  const operations = Object.entries(paths)
    // The started site has no facilitator, and /readyz says so there.
    .filter(([path]) => path !== '/readyz')
    .flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, operation]) => isOfSite(operation))
        .map(([method]) => ({ method: method.toUpperCase(), path: fill(path) })),
    )
  return [
    ...pages.map((path) => ({ method: 'GET', path, accept: 'text/html' })),
    ...[...operations, { method: 'GET', path: '/buy.mjs' }].map((each) => ({ ...each, accept: '*/*' })),
    ...['/pagefind/pagefind.js', '/private/skills.json'].map((path) => ({ method: 'GET', path, accept: '*/*' })),
    { method: 'GET', path: '/posts/fair-play', accept: 'text/markdown' },
  ]
}

it(`answers ${oneOf === 1 ? 'every address' : 'each third address'} as the started site does`, async () => {
  const toAnswer = ({ status, headers }: Response) =>
    `${status} ${status < 400 ? headers.get('content-type')?.split(';')[0] : ''}`
  const ask = async (asking: typeof fetch, base: string, { method, path, accept }: Asked) => {
    const response = await asking(base + path, { method, headers: { accept }, redirect: 'manual' })
    await response.arrayBuffer()
    return toAnswer(response)
  }
  const different: string[] = []
  for (const request of (await findRequests()).filter((_, at) => at % oneOf === 0)) {
    const [here, there] = await Promise.all([ask(fetch, site, request), ask(started.fetch, testBaseUrl, request)])
    // Vite answers every preflight request itself, whatever is at the address.
    const isAlike = here === there || (request.method === 'OPTIONS' && there.startsWith('404'))
    if (!isAlike) different.push(`${request.method} ${request.path}: ${here} instead of ${there}`)
  }
  expect(different, output.slice(-4000)).toEqual([])
})

it('sells to a stock client, and charges nothing for what cannot be made', async () => {
  const pay = payingFetch(sandboxAccounts.buyer.privateKey)
  /** Pays for a request, again and again while the program is too busy to accept work. */
  const buy = async (path: string, init?: RequestInit) => {
    for (;;) {
      const answer = await pay(site + path, init)
      if (answer.status !== 503) return answer
    }
  }
  const skill = await buy('/skills/x402-seller/raw')
  expect([skill.status, await skill.text()]).toEqual([200, expect.stringContaining('# ')])
  const failed = await buy('/api/x402/llms/pack', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ urls: ['https://nothing.invalid/'] }),
  })
  expect([failed.status, await failed.json()]).toEqual([502, expect.objectContaining({ charged: false })])
})

it('leads from a post to its author, to what she wrote and to her feeds', async () => {
  const getText = async (path: string) => (await fetch(site + path)).text()
  const [, base] = /\nready (\S+)/.exec(output) ?? []
  const post = await getText('/posts/two-commands')
  expect(post.replace(/\s+/g, ' ')).toContain(
    '<a href="/authors/ada-quill" rel="author"><bdi>Ada Quill</bdi></a> and <bdi>Bo</bdi>,',
  )
  expect(post).toContain(`"author":[{"@type":"Person","name":"Ada Quill","url":"${base}/authors/ada-quill"}`)
  const page = await getText('/authors/ada-quill')
  expect(page).toContain('Writes about ink.')
  expect(page).toContain('href="/posts/two-commands"')
  expect(page).not.toContain('href="/posts/fair-play"')
  expect(page).toContain('type="application/rss+xml" href="/authors/ada-quill/rss.xml"')
  const feed = await getText('/authors/ada-quill/feed.json')
  expect(JSON.parse(feed)).toMatchObject({
    home_page_url: `${base}/authors/ada-quill`,
    items: [
      {
        url: `${base}/posts/two-commands`,
        authors: [{ name: 'Ada Quill', url: `${base}/authors/ada-quill` }, { name: 'Bo' }],
      },
    ],
  })
})

it('shows drafts in lists and on their pages, and labels them as drafts', async () => {
  await sharp({ create: { width: 1000, height: 500, channels: 3, background: '#335577' } }).toFile(
    join(root, 'content/posts/sea.png'),
  )
  const draft =
    '---\ntitle: Secret plans\nexcerpt: x\npublishedAt: 2026-01-01\ndraft: true\n---\n\nA zymurgy.\n\n![The sea](./sea.png "Seen from *here*")\n'
  writeFileSync(join(root, 'content/posts/secret-plans.mdx'), draft)
  const getText = async (path: string) => (await fetch(site + path)).text()
  await expect.poll(() => getText('/posts/secret-plans'), patience).toContain('A draft: nobody else can see it.')
  await expect.poll(() => getText('/posts'), patience).toContain('/posts/secret-plans')
  // The draft's picture has several widths, its title as caption, and opens at full size when pressed.
  const [, picture = '', caption] =
    /<figure class="picture">(.*?)<figcaption>(.*?)<\/figcaption>/s.exec(await getText('/posts/secret-plans')) ?? []
  const [, srcset = ''] = /srcset="([^"]+)"/s.exec(picture) ?? []
  const [, href = ''] =
    /popovertarget="(?<id>[^"]+)".*?id="\k<id>" popover[^>]*>\s*<img src="([^"]+)"/s.exec(picture)?.slice(1) ?? []
  expect([caption, srcset.match(/ \d+w/g)]).toEqual(['Seen from *here*', [' 480w', ' 880w', ' 1000w']])
  expect(picture).toMatch(/<img [^>]*width="1000" height="500" alt="The sea"/)
  const largest = await fetch(site + href.replaceAll('&amp;', '&'))
  const { format, width } = await sharp(await largest.arrayBuffer()).metadata()
  expect([format, width]).toEqual(['heif', 1000])
  rmSync(join(root, 'content/posts/secret-plans.mdx'))
})

it('shows an edit at once, also in the search, and reports mistakes in it', async () => {
  const file = join(root, 'content/posts/fair-play.mdx')
  const post = readFileSync(file, 'utf8')
  const getText = async (path: string) => (await fetch(site + path)).text()
  writeFileSync(file, `${post}\n\nA zymurgist came by.\n`)
  await expect.poll(() => getText('/posts/fair-play'), patience).toContain('A zymurgist came by.')
  await expect.poll(() => getText('/api/search.json?q=zymurgist'), patience).toContain('/posts/fair-play')
  appendFileSync(join(root, 'content/skills/x402-seller/SKILL.md'), '\n## Ask a zymurgist\n\nAt dawn.\n')
  await expect.poll(() => getText('/skills/x402-seller'), patience).toContain('Ask a zymurgist')
  writeFileSync(file, post.replace(/^title:/m, 'titel:'))
  await expect.poll(() => output, patience).toMatch(/content\/posts\/fair-play\.mdx:\d+: titel /)
})

it('shows the older ones of a hundred posts on pages of their own, in every list', async () => {
  for (let number = 0; number < 100; number++) {
    const day = new Date(Date.UTC(number < 50 ? 2000 : 2001, 0, 1 + number)).toISOString()
    const matter = ['title: Early', 'excerpt: x', `publishedAt: ${day}`, 'tags: [early-days]']
    writeFileSync(join(root, `content/posts/early-${number}.mdx`), `---\n${matter.join('\n')}\n---\n\nText.\n`)
  }
  const getText = async (path: string) => (await fetch(site + path)).text()
  const lists = ['/tags/early-days', '/authors/the-farthing-press', '/posts', '/podcast']
  await expect.poll(() => getText('/tags/early-days'), patience).toContain('100 posts, newest first.')
  for (const list of lists) {
    const [first, older] = [await getText(list), await getText(`${list}/older/1`)]
    expect(first).toContain(`href="${list}/older/1" rel="next"`)
    expect(older).toContain(`href="${list}" rel="prev"`)
    expect(older).toMatch(/<h1[^>]*>January 1, 2000 – February 19, 2000<\/h1>/)
    expect((await fetch(`${site}${list}/older/2`)).status).toBe(404)
    if (list === '/podcast') continue
    expect([first, older].map((page) => page.includes('href="/posts/early-49"'))).toEqual([false, true])
    expect([first, older].map((page) => page.includes('href="/posts/early-50"'))).toEqual([true, false])
  }
  expect(await getText('/posts')).toMatch(/Years:.*href="\/posts#y2001".*href="\/posts\/older\/1#y2000"/s)
  expect(await getText('/posts/older/1')).toContain('id="y2000"')
})

it.each([
  ['requests and the site, which is opened again after changes,', false],
  ['requests alone', true],
])('shows the newest content although %s were reading the one before when it came', async (_, isAlone) => {
  const [first, second, third] = ['first', 'second', 'third'].map((turn) => `${turn}-${isAlone ? 'alone' : 'together'}`)
  const write = (title = '') => {
    const matter = [`title: ${title}`, 'excerpt: x', 'publishedAt: 2002-01-01', 'tags: [in-turns]']
    writeFileSync(join(root, `content/posts/${title}.mdx`), `---\n${matter.join('\n')}\n---\n\nText.\n`)
  }
  const getPage = async () => (await fetch(`${site}/tags/in-turns`)).text()
  const readStore = () => readFileSync(join(root, '.astro/data-store.json'), 'utf8')
  const requests: Promise<string>[] = []
  const isHeld = () => {
    requests.push(getPage())
    return existsSync(join(root, held.is))
  }
  write(first)
  await expect.poll(getPage, patience).toContain(`/posts/${first}`)
  rmSync(join(root, held.is), { force: true })
  // The site is not opened again while changes follow each other.
  const keepChanging = () => setInterval(() => writeFileSync(join(root, 'functions/notes.md'), `${Date.now()}`), 60)
  const changing = isAlone ? keepChanging() : undefined
  onTestFinished(() => clearInterval(changing))
  if (isAlone) await setTimeout(2000)
  writeFileSync(join(root, held.asked), '')
  write(second)
  await expect.poll(isHeld, patience).toBe(true)
  write(third)
  await expect.poll(readStore, patience).toContain(third)
  await setTimeout(500)
  rmSync(join(root, held.asked))
  await Promise.all(requests)
  clearInterval(changing)
  await expect.poll(getPage, patience).toContain(`/posts/${third}`)
})

it('runs the game, and stops all programs together', async () => {
  const statusOf = (url: string) =>
    fetch(url).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(() => statusOf(`${game}/healthz`), patience).toBe(200)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
  await expect.poll(() => statusOf(`${game}/healthz`), patience).toBe(0)
  expect(await statusOf(site)).toBe(0)
})
