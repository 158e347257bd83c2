import { expect, it } from 'vitest'
import { compileWriting } from '../../src/build/compile-writing.ts'
import { isPlainWriting } from '../../src/content/plain-writing.ts'
import { parseWriting } from '../../src/content/writing-tree.ts'

const isPlain = (text: string) => isPlainWriting(parseWriting(text))

it.each([
  '# A heading\n\nWith **strong** words, a [link](/x), a note[^1] and {1 + 1}.\n\n[^1]: Here.',
  'A formula $x^2$, and code:\n\n```js\nimport a from "a"\n```\n\n<b>old</b> markup <br />',
])('markdown with values only is compiled without the bundler: %j', async (text) => {
  expect(isPlain(text)).toBe(true)
  expect(await compileWriting(`---\ntitle: T\n---\n${text}`, 'content/posts/a.mdx')).not.toMatch(
    /^(?:import|export)\b/m,
  )
})

it.each([
  'import A from "./a.astro"\n\n<A />',
  'export const a = 1\n\n{a}',
  'A picture: ![A cat](./cat.png)',
  'A picture: ![A cat][cat]\n\n[cat]: /cat.png',
  '<Callout kind="note">Look.</Callout>',
  'In a line <a.B /> of text',
  '{`\nimport a from "a"\n`}',
  '<p title={import.meta.url}>where</p>',
  'No <b>MDX',
])('what needs the bundler of the pages is left to it: %j', (text) => expect(isPlain(text)).toBe(false))
