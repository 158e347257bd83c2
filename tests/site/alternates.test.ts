import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasAlternate } from '../../src/alternates/has-alternate.ts'
import { alternatePath } from '../../src/core/alternate.ts'
import { readStaticManifest } from '../../src/http/static/static-manifest.ts'
import { getRaw } from '../support/raw-http.ts'
import { childrenOf, readXml, textOf } from '../support/read-xml.ts'
import { type RunningSite, startSite, testBaseUrl, testBuild } from '../support/running-site.ts'

let site: RunningSite
let paths: string[]

beforeAll(async () => {
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' })
  const map = await readXml(await (await site.fetch('/sitemap.xml')).text())
  paths = childrenOf(map, 'url').map((url) => new URL(textOf(url, 'loc') ?? '').pathname)
})
afterAll(() => site?.kill('SIGTERM'))

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#34': '"' }
const headingOf = (html: string): string =>
  (/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '')
    .replace(/<[^>]+>/g, '')
    .replace(/&([^;]+);/g, (_, name: string) => entities[name] ?? '?')
    .replace(/\s+/g, ' ')
    .trim()

describe('markdown alternates', () => {
  it('every page of the sitemap has one, with the same title, and each names the other', async () => {
    expect(paths.length).toBeGreaterThan(40)
    for (const path of paths) {
      const [page, alternate] = await Promise.all([site.fetch(path), site.fetch(alternatePath(path))])
      expect([path, page.status, alternate.status, alternate.headers.get('content-type')]).toEqual([
        path,
        200,
        200,
        'text/markdown; charset=utf-8',
      ])
      const [html, markdown] = await Promise.all([page.text(), alternate.text()])
      const [first = ''] = markdown.split('\n')
      expect([path, first.replace(/^# /, '').replace(/\\(.)/g, '$1')]).toEqual([path, headingOf(html)])
      expect(markdown.slice(0, 2000)).toContain(`<${testBaseUrl}${path}>`)
      expect(markdown.slice(0, 2000)).toContain(`<${testBaseUrl}/llms.txt>`)
      expect(html).toContain(`<link rel="alternate" type="text/markdown" href="${alternatePath(path)}"`)
      expect(page.headers.get('link')).toContain(`<${alternatePath(path)}>; rel="alternate"; type="text/markdown"`)
      expect(alternate.headers.get('link')).toContain(`<${path}>; rel="canonical"`)
    }
  })

  it('every page of the build is in the sitemap, except the error pages', () => {
    const pages = Object.entries(readStaticManifest(join(testBuild(), 'manifest.json')))
      .filter(([, { type }]) => type.startsWith('text/html'))
      .map(([path]) => path)
    expect(pages.filter((path) => !/^\/(?:404|500)$/.test(path)).toSorted()).toEqual(paths.toSorted())
    expect(paths.filter((path) => !hasAlternate(path))).toEqual([])
  })

  it('contain no component markup, no relative link, and no broken link', async () => {
    const seen = new Map<string, number>()
    for (const path of paths) {
      const markdown = await (await site.fetch(alternatePath(path))).text()
      const prose = markdown.replace(/^(`{3,})[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '')
      expect([path, prose.match(/<\/?[A-Z][\w.]*|^import .* from |\]\(\//m)]).toEqual([path, null])
      for (const [, url = ''] of prose.matchAll(/\]\((http:\/\/farthing\.test[^)#\s]*)/g))
        if (!seen.has(url)) seen.set(url, (await site.fetch(url)).status)
    }
    expect([...seen].filter(([, status]) => status !== 200 && status !== 402)).toEqual([])
    expect(seen.size).toBeGreaterThan(40)
  })

  it('do not exist for pages that do not exist', async () => {
    for (const path of [
      '/nothing.md',
      '/posts/nothing.md',
      '/skills/x402-seller/raw.md',
      '/posts/never-charge-twice.md.md',
    ])
      expect([path, (await site.fetch(path)).status]).toEqual([path, 404])
  })

  it('of a skill show what its page shows and nothing more', async () => {
    const alternate = await (await site.fetch('/skills/feed-doctor.md')).text()
    const sold = 21_297
    expect(alternate).toContain('## How it begins')
    expect(Buffer.byteLength(alternate)).toBeLessThan(sold / 2)
  })
})

describe('content negotiation at the address of a page', () => {
  const path = '/posts/never-charge-twice'
  it.each([
    [{}, 'text/html'],
    [{ Accept: '*/*' }, 'text/html'],
    [{ Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }, 'text/html'],
    [{ Accept: 'text/markdown' }, 'text/markdown'],
    [{ accept: 'TEXT/MARKDOWN' }, 'text/markdown'],
    [{ Accept: 'text/markdown, text/html;q=0.9, */*;q=0.1' }, 'text/markdown'],
    [{ Accept: 'text/markdown;q=0.4, text/html;q=0.5' }, 'text/html'],
    [{ Accept: 'text/markdown;q=0.4, */*' }, 'text/html'],
    [{ Accept: 'text/markdown;q=0' }, 'text/html'],
    [{ Accept: 'text/plain, text/html;q=0.9' }, 'text/plain'],
    [{ Accept: 'text/plain' }, 'text/plain'],
    [{ Accept: 'application/json, text/plain, */*' }, 'text/html'],
    [{ Accept: 'text/html\r\nAccept: text/markdown;q=0.5' }, 'text/html'],
    [{ Accept: 'text/html;q=0.5\r\nAccept: text/markdown' }, 'text/markdown'],
  ])('%j gets %s', async (headers, type) => {
    const answer = await getRaw(site.port, path, headers)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`])
    expect(answer.headers.vary?.split(', ')).toContain('Accept')
    expect(answer.headers['content-location']).toBe(type === 'text/html' ? undefined : `${path}.md`)
    expect(answer.body.startsWith(type === 'text/html' ? '<!' : '# A retry')).toBe(true)
  })

  it('each representation has its own entity tag, which validates that representation only', async () => {
    const ask = (accept: string, tag?: string) =>
      site.fetch(path, { headers: { accept, ...(tag && { 'if-none-match': tag }) } })
    const forms = ['text/html', 'text/markdown', 'text/plain']
    const tags = await Promise.all(forms.map(async (form) => (await ask(form)).headers.get('etag') ?? ''))
    expect(new Set(tags).size).toBe(3)
    for (const form of forms)
      for (const tag of tags)
        expect([form, tag, (await ask(form, tag)).status]).toEqual([
          form,
          tag,
          tags.indexOf(tag) === forms.indexOf(form) ? 304 : 200,
        ])
  })

  it('works compressed, by HEAD, and at the front page', async () => {
    const headers = { accept: 'text/markdown', 'accept-encoding': 'br' }
    const head = await site.fetch('/', { method: 'HEAD', headers })
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'content-encoding': 'br',
      'content-location': '/index.md',
      vary: 'Accept, Accept-Encoding',
    })
    expect(await (await site.fetch('/', { headers })).text()).toBe(await (await site.fetch('/index.md')).text())
  })

  it('leaves a page without an alternate as it is', async () => {
    const answer = await site.fetch('/receipts/r_none', { headers: { accept: 'text/markdown' } })
    expect(answer.status).toBe(404)
  })
})

it('the front page tells programs in its Link header where to go on, and every target answers', async () => {
  const link = (await site.fetch('/')).headers.get('link') ?? ''
  const links = [...link.matchAll(/<([^>]+)>; rel="([^"]+)"; type="([^"]+)"/g)]
  expect(links.map(([, target, rel]) => [rel, target])).toEqual(
    expect.arrayContaining([
      ['service-desc', '/openapi.json'],
      ['service-doc', '/agents'],
      ['alternate', '/index.md'],
    ]),
  )
  for (const [, target = '', , type = ''] of links) {
    const answer = await site.fetch(target)
    expect([target, answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([target, 200, type])
  }
})
