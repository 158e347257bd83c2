import { expect, it } from 'vitest'
import { accepts, negotiatePage, prefersHtml } from '../../src/http/negotiate.ts'
import { readQualities } from '../../src/http/quality.ts'

it.each([
  [undefined, 'text/html'],
  ['', 'text/html'],
  ['*/*', 'text/html'],
  ['text/*', 'text/html'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'text/html'],
  ['text/markdown', 'text/markdown'],
  ['TEXT/Markdown', 'text/markdown'],
  ['text/markdown, text/html;q=0.9', 'text/markdown'],
  ['text/html, text/markdown', 'text/markdown'],
  ['text/markdown, */*', 'text/markdown'],
  ['text/markdown;q=0.5, */*;q=0.1', 'text/markdown'],
  ['text/markdown;q=0.5, */*', 'text/html'],
  ['text/markdown;q=0.5, text/*;q=0.8', 'text/html'],
  ['text/html, text/markdown;q=0.5', 'text/html'],
  ['text/markdown;q=0', 'text/html'],
  ['text/markdown;q=oops', 'text/html'],
  ['text/markdown; variant=GFM', 'text/markdown'],
  ['text/plain', 'text/plain'],
  ['text/plain, text/html;q=0.9', 'text/plain'],
  ['text/plain, text/markdown', 'text/markdown'],
  ['text/plain, text/markdown;q=0.8, text/html;q=0.5', 'text/plain'],
  ['application/json, text/plain, */*', 'text/html'],
  ['text/plain;q=0', 'text/html'],
  ['application/json', 'text/html'],
] as const)('%s wants a page as %s', (accept, type) => {
  expect(negotiatePage(accept)).toBe(type)
})

it.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html, application/json', true],
  ['TEXT/HTML', true],
  ['application/json, text/html;q=0.9', false],
  ['text/html;q=0', false],
  ['*/*', false],
  ['', false],
  [null, false],
] as const)('%s comes from a person: %s', (accept, isPerson) => {
  expect(prefersHtml(accept)).toBe(isPerson)
})

it('finds a type under its name and under wildcards', () => {
  // Without an Accept header every type is acceptable (RFC 9110, 12.5.1).
  const roomy = ['application/json', 'text/html, application/*;q=0.1', '*/*', null]
  expect(roomy.filter((accept) => accepts(accept, 'application/json'))).toEqual(roomy)
  const narrow = ['text/html', 'application/json;q=0, */*', '']
  expect(narrow.filter((accept) => accepts(accept, 'application/json'))).toEqual([])
})

it.each([
  ['a', 1],
  ['A;Q=0.5', 0.5],
  ['a; level=1; q=0.125', 0.125],
  ['a;q=1.000', 1],
  ['a;q=1', 1],
  ['a;q=0', 0],
  ['a;seq=0.2', 1],
  // Weights have at most three digits and are from 0 to 1 (RFC 9110, 12.4.2).
  ['a;q=0.1234', 0],
  ['a;q=1.001', 0],
  ['a;q=5', 0],
  ['a;q=10.5', 0],
  ['a;q=0.5x', 0],
  ['a;q=', 0],
])('weighs %j as %d, where an invalid weight counts as 0', (header, weight) => {
  expect([...readQualities(`, ${header} ,b;q=0.9`)]).toEqual([
    ['a', weight],
    ['b', 0.9],
  ])
})
