import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runAstroBuild } from '../../src/build/run-astro-build.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'

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
  const outDir = join(root, 'out')
  const build = { root, outDir, env: {} }
  await runAstroBuild(build)
  await expect(runAstroBuild(build, buildFiles(outDir).manifest)).rejects.toThrow(
    /\(astro build ended with no result\); the end of its output:\n(?:.*\n)*No space left on device/,
  )
})
