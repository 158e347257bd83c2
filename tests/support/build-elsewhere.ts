import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testBuild } from './running-site.ts'

/**
 * The tested build as one for another address: for clients that trust plain http on this machine alone. What was
 * written beforehand still names the old address; what is answered by the running site names the new one.
 */
export function buildFor(baseUrl: string) {
  const build = testBuild()
  const folder = mkdtempSync(join(tmpdir(), 'farthing-elsewhere-'))
  for (const name of readdirSync(build)) if (name !== 'build.json') symlinkSync(join(build, name), join(folder, name))
  const facts: object = JSON.parse(readFileSync(join(build, 'build.json'), 'utf8'))
  writeFileSync(join(folder, 'build.json'), JSON.stringify({ ...facts, baseUrl }))
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}
