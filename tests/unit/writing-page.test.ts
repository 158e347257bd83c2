import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { componentForms } from '../../src/content/component-forms.ts'
import { postSchema } from '../../src/content/post-schema.ts'

const page = readFileSync('docs/writing.md', 'utf8')

it('has a row for every field of the front matter of a post', () => {
  const rows = [...page.matchAll(/^\| (`.*?) +\| /gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? [])
  expect(rows.toSorted()).toEqual(Object.keys(postSchema.shape).toSorted())
})

it('shows every component for posts', () => {
  const shown = new Set([...page.matchAll(/<([A-Z]\w+)/g)].map(([, name]) => name))
  expect([...shown].toSorted()).toEqual(Object.keys(componentForms).toSorted())
})
