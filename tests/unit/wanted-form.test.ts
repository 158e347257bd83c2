import { expect, it } from 'vitest'
import { wantedForm } from '../../src/server/wanted-form.ts'

it.each([
  [undefined, 'html'],
  ['', 'html'],
  ['*/*', 'html'],
  ['text/*', 'html'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'html'],
  ['text/markdown', 'markdown'],
  ['TEXT/Markdown', 'markdown'],
  ['text/markdown, text/html;q=0.9', 'markdown'],
  ['text/html, text/markdown', 'markdown'],
  ['text/markdown, */*', 'markdown'],
  ['text/markdown;q=0.5, */*;q=0.1', 'markdown'],
  ['text/markdown;q=0.5, */*', 'html'],
  ['text/markdown;q=0.5, text/*;q=0.8', 'html'],
  ['text/html, text/markdown;q=0.5', 'html'],
  ['text/markdown;q=0', 'html'],
  ['text/markdown;q=oops', 'html'],
  ['text/markdown; variant=GFM', 'markdown'],
  ['text/plain', 'plain'],
  ['text/plain, text/html;q=0.9', 'plain'],
  ['text/plain, text/markdown', 'markdown'],
  ['text/plain, text/markdown;q=0.8, text/html;q=0.5', 'plain'],
  ['application/json, text/plain, */*', 'html'],
  ['text/plain;q=0', 'html'],
  ['application/json', 'html'],
] as const)('%s wants %s', (accept, form) => {
  expect(wantedForm(accept)).toBe(form)
})
