import { expect, it } from 'vitest'
import { beginToCompile, compileWriting } from '../../src/build/compile-in-thread.ts'
import { compileWriting as compile } from '../../src/build/compile-writing.ts'

const file = 'content/posts/a.mdx'

it('compiles in a thread as in this one, whether it was begun early or not', async () => {
  const text = '---\ntitle: T\n---\n\nA `word`, $x^2$ and code:\n\n```ts\nconst a = 1\n```\n'
  const compiled = await compile(text, file)
  expect(await compileWriting(text, file)).toBe(compiled)
  beginToCompile(text, file)
  expect(await compileWriting(text, file)).toBe(compiled)
})

it('compiles a text that changed since it was begun', async () => {
  beginToCompile('The first text.', file)
  expect(await compileWriting('The second text.', file)).toBe(await compile('The second text.', file))
})

it('tells of a text that cannot be compiled only who asks for it', async () => {
  beginToCompile('Some <b>bold\n\ntext', file)
  await expect(compileWriting('Some <b>bold\n\ntext', file)).rejects.toThrow(/closing tag/)
})
