import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BuildFacts } from '../../src/storage/build-folder.ts'
import { testBuild } from './running-site.ts'

/** The tested build for another address, for clients that accept plain http on this machine only. */
export const buildFor = (baseUrl: string) => buildWith({ baseUrl })

/**
 * The tested build with other facts. Prebuilt files still contain the old facts; responses that the running programs
 * generate contain the new ones.
 */
export function buildWith(changes: Partial<BuildFacts>) {
  const build = testBuild()
  const folder = mkdtempSync(join(tmpdir(), 'farthing-elsewhere-'))
  for (const name of readdirSync(build)) if (name !== 'build.json') symlinkSync(join(build, name), join(folder, name))
  const facts: object = JSON.parse(readFileSync(join(build, 'build.json'), 'utf8'))
  writeFileSync(join(folder, 'build.json'), JSON.stringify({ ...facts, ...changes }))
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}
