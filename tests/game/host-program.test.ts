import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { testBuild } from '../support/running-site.ts'

/** The files that a built program reads before it begins, by their names. */
function filesOf(program: string): Map<string, string> {
  const { programs } = buildFiles(testBuild())
  const texts = new Map<string, string>()
  const names = [program]
  for (const name of names) {
    if (texts.has(name)) continue
    const text = readFileSync(join(programs, name), 'utf8')
    texts.set(name, text)
    for (const [, next = ''] of text.matchAll(/(?:\bfrom|\bimport)"\.\/([^"]+)"/g)) names.push(next)
  }
  return texts
}

it('reads a few files at its start, because each takes as long as the code of many functions', () => {
  const { size } = filesOf('game-host.mjs')
  expect(size).toBeGreaterThan(1)
  expect(size).toBeLessThanOrEqual(12)
})

it('reads neither the curves of signatures nor questions to the chain that nobody asks', () => {
  const code = [...filesOf('game-host.mjs').values()].join('\n')
  expect(code).toContain('getTransactionReceipt')
  for (const unused of ['weierstrass', 'watchPendingTransactions', 'simulateCalls']) expect(code).not.toContain(unused)
})
