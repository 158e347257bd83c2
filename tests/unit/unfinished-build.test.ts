import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runAstroBuild } from '../../src/build/run-astro-build.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'unfinished-build-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('a build that waits for something that never comes has failed, although Astro ends without an error', async () => {
  const program = join(root, 'node_modules/astro/bin/astro.mjs')
  mkdirSync(dirname(program), { recursive: true })
  writeFileSync(
    program,
    "console.error('No space left on device')\nnew Promise(() => {}).then(() => process.exit(0))\n",
  )
  await expect(runAstroBuild({ root, outDir: join(root, 'out'), env: {} })).rejects.toThrow(
    /\(astro build ended with no result\); the end of its output:\n(?:.*\n)*No space left on device/,
  )
})
