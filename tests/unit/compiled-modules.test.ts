import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openCompiledModules } from '../../src/build/compiled-modules.ts'
import { runBuildProgram } from '../../src/build/run-build-program.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'farthing-compiled-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const list = (): string[] => readdirSync(join(root, '.cache/compiled'), { recursive: true, encoding: 'utf8' })

it('a build program leaves its compiled modules for the next one', async () => {
  writeFileSync(join(root, 'main.mjs'), "import './other.mjs'\n")
  writeFileSync(join(root, 'other.mjs'), 'console.log(1 + 1)\n')
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  expect(await runBuildProgram([join(root, 'main.mjs')], { root, env })).toEqual({ end: 0, tail: '2' })
  expect(list().length).toBeGreaterThanOrEqual(3)
})

it('compiled modules are removed when they have become many', async () => {
  const folder = await openCompiledModules(root)
  mkdirSync(join(folder, 'v1'), { recursive: true })
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, 'v1', name), '')
  await openCompiledModules(root, 4)
  expect(list()).toHaveLength(4)
  await openCompiledModules(root, 3)
  expect(readdirSync(join(root, '.cache'))).toEqual([])
})
