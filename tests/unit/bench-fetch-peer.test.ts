import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, expect, it, vi } from 'vitest'

// A copy in a folder of its own, because the module installs beside itself.
const root = mkdtempSync(join(tmpdir(), 'farthing-peers-'))
const program = join(root, 'bench/fetch-peer.ts')
cpSync(new URL('../../bench/fetch-peer.ts', import.meta.url), program)
const peer = join(root, 'bench/peers/eleventy')
const installs = join(root, 'installs.txt')

/** Stands for npm: installs one package, and notes that it did. */
function writeNpm(): void {
  const npm = join(root, 'bin/npm')
  mkdirSync(join(root, 'bin'))
  writeFileSync(npm, `#!/bin/sh\nmkdir -p node_modules/it && echo installed >> '${installs}'\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${join(root, 'bin')}${delimiter}${process.env['PATH']}`)
}

afterEach(() => vi.unstubAllEnvs())
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('the packages of a peer are installed once, and again when another version is locked', async () => {
  writeNpm()
  const { fetchPeer }: typeof import('../../bench/fetch-peer.ts') = await import(pathToFileURL(program).href)
  mkdirSync(peer, { recursive: true })
  const counts = ['1.0.0', '1.0.0', '2.0.0', '2.0.0'].map((version) => {
    writeFileSync(join(peer, 'package-lock.json'), JSON.stringify({ version }))
    expect(fetchPeer('eleventy', 'it').is).toBe('here')
    return readFileSync(installs, 'utf8').split('\n').length - 1
  })
  expect(counts).toEqual([1, 1, 2, 2])
})
