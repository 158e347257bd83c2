import { EventEmitter } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { makeDevSite } from '../../src/dev/dev-site.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'dev-site-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A development site before Astro listens, over a server that loads these modules. */
async function setUp() {
  const state = { version: 0, isFaulty: false }
  const opened: string[] = []
  const tried: string[] = []
  const modules: Readonly<Record<string, unknown>> = {
    '/src/build/private-texts.ts': {
      getStaticPaths: async () => [{ params: { name: 'text.md' }, props: {} }],
      GET: async () => new Response(`version ${state.version}`),
    },
    '/src/build/search-documents.ts': { listSearchDocuments: async () => [] },
    '/src/pages/[...path].md.ts': { getStaticPaths: async () => [], GET: () => new Response() },
    '/src/pages/api/catalog.json.ts': { GET: async () => new Response('{}') },
    '/src/site/open-site.ts': {
      async openSite(_config: unknown, build: string) {
        tried.push(build)
        if (state.isFaulty) throw new Error('a fault')
        opened.push(build)
        return { server: createServer(), close: async () => {} }
      },
    },
  }
  const server = {
    config: { root: folder },
    environments: { ssr: { runner: { import: async (path: string) => modules[path] } } },
    watcher: new EventEmitter(),
    middlewares: { use() {} },
    httpServer: new EventEmitter(),
  }
  const site = makeDevSite({ config: readConfig({}), folder, log: () => {} })
  const setup = site.integration.hooks['astro:server:setup']
  await Reflect.apply(setup ?? (() => {}), undefined, [{ server }])
  const listen = async () => {
    server.httpServer.emit('listening')
    await site.ready
  }
  return { site, state, opened, tried, watcher: server.watcher, listen }
}

it('leaves the build that is being served as it is while the site cannot be opened again', async () => {
  const { site, state, opened, tried, watcher, listen } = await setUp()
  await listen()
  state.isFaulty = true
  for (state.version = 1; state.version <= 2; state.version++) {
    watcher.emit('all', 'change', '/content/posts/a.mdx')
    await expect.poll(() => tried.length).toBe(state.version + 1)
  }
  const [build = ''] = opened
  expect(readFileSync(join(buildFiles(build).privateTexts, 'text.md'), 'utf8')).toBe('version 0')
  state.isFaulty = false
  watcher.emit('all', 'change', '/content/posts/a.mdx')
  await expect.poll(() => opened.length).toBe(2)
  expect(opened[1]).not.toBe(build)
  await site.close()
})

it('opens the site again for content that changed before it listened, of which a watcher tells nothing', async () => {
  const { site, opened, listen } = await setUp()
  mkdirSync(join(folder, 'content'))
  writeFileSync(join(folder, 'content/early.mdx'), '')
  await listen()
  await expect.poll(() => opened.length).toBe(2)
  await site.close()
})
