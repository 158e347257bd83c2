import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import makePack from '../../functions/llms-pack/make.ts'

const closing: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))

const body = Buffer.from('<p>caf\xe9 <b>noir</b>', 'latin1')
let sent = ''
const make = makePack({
  guardedFetch: async (url, { keepsEncoding }) => {
    const headers = new Map([['content-type', sent]])
    const answer = { url, status: 200, headers, body, isCut: false, redirects: 0, durationMs: 1 }
    // Compressed for who can decode it elsewhere.
    return keepsEncoding ? { ...answer, body: gzipSync(body), encoding: 'gzip' } : answer
  },
  now: () => new Date('2026-11-20T09:00:00Z'),
  onClose: (close) => closing.push(close),
})

it.each([
  'text/html, text/html',
  'text/plain, text/html; charset=iso-8859-1',
  'text/html; charset=iso-8859-1, text/html',
  'text/html;charset=iso-8859-1, text/html; charset=iso-8859-1',
  'text/html; charset=iso-8859-1, ',
])('a page with two media types is read by the last one: %s', async (types) => {
  sent = types
  const made = await make({ urls: ['https://site.example/'] }, new AbortController().signal, 'key')
  const packed = new TextDecoder().decode(made.body)
  expect(packed).toContain(`\ntext/html, ${body.byteLength} bytes, `)
  expect(packed).toMatch(/\n\ncafé \*\*noir\*\*$/)
})
