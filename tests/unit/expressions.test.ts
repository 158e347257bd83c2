import { expect, it } from 'vitest'
import { makeEvaluate } from '../../src/content/expressions.ts'
import { parseWriting } from '../../src/content/writing-tree.ts'

/** The evaluator of a post that declares these constants. */
function evaluateWith(declarations: readonly string[]) {
  const root = parseWriting(declarations.map((one) => `export const ${one}`).join('\n'))
  if ('sentence' in root) throw new Error(root.sentence)
  return makeEvaluate(root)
}

/** Each constant shows the one before it twice. */
const doubled = (first: string, times: number): string[] => [
  `a0 = ${first}`,
  ...Array.from({ length: times }, (_, number) => `a${number + 1} = [a${number}, a${number}]`),
]

it('an array that contains another one several times shows it several times', () => {
  expect(evaluateWith(doubled("'ab'", 3))('a3')).toBe('ab'.repeat(8))
})

it.each([
  ['text', "'x'", undefined],
  ['nothing', '[]', ''],
])('arrays of arrays of %s that double a thousand times are evaluated at once', (_, first, shown) => {
  expect(evaluateWith(doubled(first, 1000))('a1000')).toBe(shown)
})
