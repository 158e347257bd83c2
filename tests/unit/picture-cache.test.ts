import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BuildError } from '../../src/build/build-error.ts'
import { runAstroBuild } from '../../src/build/run-astro-build.ts'

let root: string
const write = (name: string, content: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), content)
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'picture-cache-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Runs this code in place of an Astro build. */
async function build(program: string): Promise<void> {
  write('node_modules/astro/bin/astro.mjs', `import { writeFileSync } from 'node:fs'\n${program}`)
  await runAstroBuild({ root, outDir: join(root, 'out'), env: {} })
}

it('a truncated picture of an interrupted build is made again, and those of finished builds are kept', async () => {
  const kept = () => readdirSync(join(root, '.astro/assets')).sort()
  write('.astro/assets/old.avif', 'whole')
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(join(root, '.astro/assets/old.avif'), longAgo, longAgo)
  await build("writeFileSync('.astro/assets/new.avif', 'whole')")
  expect(kept()).toEqual(['new.avif', 'old.avif'])
  // As when the disk is full: the file exists and is empty.
  const full = "writeFileSync('.astro/assets/cut.avif', '')\nprocess.exit(1)"
  await expect(build(full)).rejects.toThrow(BuildError)
  await build('')
  expect(kept()).toEqual(['new.avif', 'old.avif'])
  await build("writeFileSync('.astro/assets/cut.avif', 'whole')")
  await build('')
  expect(kept()).toEqual(['cut.avif', 'new.avif', 'old.avif'])
})
