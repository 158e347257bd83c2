import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runProgram } from '../support/run-program.ts'

it('reads more texts at once than files may be open', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'farthing-sources-')), 'post.mdx')
  writeFileSync(file, 'A text.')
  const program = `
    const { readSource } = await import(${JSON.stringify(new URL('../../src/content/read-source.ts', import.meta.url).href)})
    const entry = ${JSON.stringify({ id: 'post', filePath: file })}
    const texts = await Promise.all(Array.from({ length: 500 }, () => readSource(entry)))
    console.log(texts.filter((text) => text.toString() === 'A text.').length)`
  const args = ['-c', 'ulimit -n 100; exec "$0" --input-type=module -e "$1"', process.execPath, program]
  const { stdout, stderr } = await runProgram('sh', args, { cwd: tmpdir(), env: {} })
  expect([stdout.toString().trim(), stderr]).toEqual(['500', ''])
})
