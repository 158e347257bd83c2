import { EventEmitter } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { makeDevSite } from '../../src/dev/dev-site.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'dev-site-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('leaves the build that is being served as it is while the site cannot be opened again', async () => {
  let version = 0
  let isFaulty = false
  const opened: string[] = []
  const tried: string[] = []
  const modules: Readonly<Record<string, unknown>> = {
    '/src/build/private-texts.ts': {
      getStaticPaths: async () => [{ params: { name: 'text.md' }, props: {} }],
      GET: async () => new Response(`version ${version}`),
    },
    '/src/build/search-documents.ts': { listSearchDocuments: async () => [] },
    '/src/pages/[...path].md.ts': { getStaticPaths: async () => [], GET: () => new Response() },
    '/src/pages/api/catalog.json.ts': { GET: async () => new Response('{}') },
    '/src/site/open-site.ts': {
      async openSite(_config: unknown, build: string) {
        tried.push(build)
        if (isFaulty) throw new Error('a fault')
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
  server.httpServer.emit('listening')
  await site.ready
  isFaulty = true
  for (version = 1; version <= 2; version++) {
    server.watcher.emit('all', 'change', '/content/posts/a.mdx')
    await expect.poll(() => tried.length).toBe(version + 1)
  }
  const [build = ''] = opened
  expect(readFileSync(join(buildFiles(build).privateTexts, 'text.md'), 'utf8')).toBe('version 0')
  isFaulty = false
  server.watcher.emit('all', 'change', '/content/posts/a.mdx')
  await expect.poll(() => opened.length).toBe(2)
  expect(opened[1]).not.toBe(build)
  await site.close()
})
