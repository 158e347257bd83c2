import { describe, expect, it } from 'vitest'
import { readTarget } from '../../src/http/canonical-path.ts'

const canonical = [
  '/',
  '/llms-full.txt',
  '/skills/paid-fetch/raw',
  '/.well-known/x402',
  '/posts/100-farthings',
  '/a/b/c/d/e/f',
  '/r%C3%A9sum%C3%A9',
  '/%E2%82%AC',
  '/a%20b',
  "/it's-(fine)!~*",
  '/x@y:z,=&+$',
  '/a..b',
  '/...',
  '/a/.hidden',
]

const odd = [
  // Doubled slashes and dot segments, plain and encoded.
  '//llms-full.txt',
  '///',
  '//',
  '/skills//x/raw',
  '/skills/x/raw//',
  '/./llms-full.txt',
  '/x/./y',
  '/x/.',
  '/x/..',
  '/../llms-full.txt',
  '/x/../llms-full.txt',
  '/%2e/llms-full.txt',
  '/%2E%2E/llms-full.txt',
  '/x/%2e%2e/llms-full.txt',
  '/.%2e/llms-full.txt',
  '/x/..;/llms-full.txt',
  // Encoded separators.
  '/skills%2Fx/raw',
  '/skills%2fx%2fraw',
  '/%2Fllms-full.txt',
  '/skills%5Cx',
  '/a%3Fb',
  '/a%23b',
  // Unnecessary, doubled and invalid encoding.
  '/%6clms-full.txt',
  '/llms-full%2Etxt',
  '/llms%2Dfull.txt',
  '/%256clms-full.txt',
  '/a%25',
  '/%',
  '/%f',
  '/%zz',
  '/%u006c',
  '/%ff',
  '/%C3',
  '/%ED%A0%80',
  '/%C0%AF',
  // Parameters, backslashes, control characters, invisible characters.
  '/llms-full.txt;a=1',
  '/;/llms-full.txt',
  '/llms-full.txt%3Ba=1',
  '/llms-full.txt%3ba=1',
  '/skills%5cx',
  '/r%c3%a9sum%c3%a9//',
  '/\\llms-full.txt',
  '/x\\..\\y',
  '/llms-full.txt%00',
  '/%00',
  '/llms-full.txt%0A',
  '/llms-full.txt%0d%0aX: y',
  '/llms-full.txt%09',
  '/a%7F',
  '/a%C2%85',
  '/a%E2%80%A8b',
  // Characters that a client must encode.
  '/a b',
  '/é',
  '/a"b',
  '/a<b>',
  '/a[b]',
  '/a{b}',
  '/a|b',
  '/a^b',
  '/a`b',
  // Clients never send fragments.
  '/llms-full.txt#x',
  '/llms-full.txt?x#y',
]

describe('a path has only one valid spelling', () => {
  it.each(canonical)('accepts %j unchanged', (target) => {
    expect(readTarget(target)).toEqual({ is: 'path', path: target, query: '' })
  })

  it('is tested with at least sixty invalid spellings', () => expect(odd.length).toBeGreaterThanOrEqual(60))

  it.each(odd)('refuses %j', (target) => {
    expect(readTarget(target)).toEqual({ is: 'odd' })
  })

  it('leaves the query as it was sent', () => {
    expect(readTarget('/api/search.json?q=%zz//../;\\')).toEqual({
      is: 'path',
      path: '/api/search.json',
      query: '?q=%zz//../;\\',
    })
  })

  it('distinguishes a trailing slash and lower-case escapes from other faults', () => {
    expect(readTarget('/about/')).toEqual({ is: 'near', path: '/about', query: '' })
    expect(readTarget('/about/?a=/')).toEqual({ is: 'near', path: '/about', query: '?a=/' })
    const near = { is: 'near', path: '/r%C3%A9sum%C3%A9', query: '?%c3' }
    for (const spelled of ['/r%c3%a9sum%c3%a9', '/r%C3%a9sum%c3%A9/'])
      expect(readTarget(`${spelled}?%c3`)).toEqual(near)
  })

  it.each(['http://shop.example/about', 'https://x/', 'about', '*', '', 'shop.example:443', '?q=1'])(
    'refuses %j, which is not a path',
    (target) => {
      expect(readTarget(target)).toEqual({ is: 'absolute' })
    },
  )

  it('refuses a path longer than 8 KiB', () => {
    expect(readTarget(`/${'a'.repeat(8191)}`).is).toBe('path')
    expect(readTarget(`/${'a'.repeat(8192)}`)).toEqual({ is: 'too-long' })
    expect(readTarget(`/?${'a'.repeat(8192)}`)).toEqual({ is: 'too-long' })
  })
})
