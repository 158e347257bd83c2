import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { indexFiles, type RouteHeaders } from '../../src/build/index-files.ts'
import { type Build, buildFiles, loadBuild } from '../../src/storage/build-folder.ts'

interface Options {
  /** Content by file name in the client folder. */
  readonly files: Readonly<Record<string, string | Buffer>>
  readonly routeHeaders?: RouteHeaders
  readonly baseUrl?: string
}

/** A finished build of a few files in a folder of its own, made by the real indexer. */
export async function makeTinyBuild({ files, routeHeaders = new Map(), baseUrl = 'http://farthing.test' }: Options) {
  const folder = mkdtempSync(join(tmpdir(), 'tiny-build-'))
  const { client, manifest, facts } = buildFiles(folder)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(client, name)), { recursive: true })
    writeFileSync(join(client, name), content)
  }
  writeFileSync(manifest, JSON.stringify(await indexFiles(client, routeHeaders)))
  const wallet = { payTo: `0x${'1'.repeat(40)}`, asset: `0x${'2'.repeat(40)}` }
  const place = {
    key: 'tiny',
    program: 'tiny',
    baseUrl,
    network: 'eip155:8453',
    mode: 'sandbox',
    createdAt: '2026-01-01T00:00:00.000Z',
  }
  writeFileSync(facts, JSON.stringify({ ...place, ...wallet }))
  const build: Build = loadBuild(folder)
  return { build, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
