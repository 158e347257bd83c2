import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { BuildFacts } from '../../src/storage/build-folder.ts'
import { testBuild } from './running-site.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const sources = ['src', 'functions', 'game-server', 'content', 'site.config.ts', 'package.json', 'package-lock.json']
const lockSchema = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })

/** Uses hard links where possible, which are fast, and copies elsewhere. */
function copy(from: readonly string[], to: string): void {
  const run = (flags: readonly string[]) =>
    spawnSync('cp', [...flags, ...from, to], { cwd: repository, stdio: 'ignore' }).status === 0
  if (!run(['-al']) && !run(['-a'])) throw new Error(`${from.length} files could not be copied to ${to}`)
}

/** The packages of node_modules that `npm ci --omit=dev` would install. */
function productionPackages(): string[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')))
  return Object.entries(packages)
    .filter(([path, { dev }]) => path.lastIndexOf('node_modules/') === 0 && !dev && existsSync(join(repository, path)))
    .map(([path]) => path)
}

/**
 * The files of a production install with the tested build, in a folder without development packages. `current` is a
 * link to the build, as `npm run build` leaves it.
 */
export function layProductionFiles(facts: Partial<BuildFacts>): string {
  const root = mkdtempSync(join(tmpdir(), 'farthing-production-'))
  const byFolder = Object.groupBy(productionPackages(), dirname)
  for (const [folder, packages = []] of Object.entries(byFolder)) {
    mkdirSync(join(root, folder), { recursive: true })
    copy(packages, join(root, folder))
  }
  for (const name of sources) cpSync(join(repository, name), join(root, name), { recursive: true })
  const build = join(root, '.build', basename(testBuild()))
  cpSync(testBuild(), build, { recursive: true })
  const known: object = JSON.parse(readFileSync(join(build, 'build.json'), 'utf8'))
  writeFileSync(join(build, 'build.json'), JSON.stringify({ ...known, ...facts }))
  symlinkSync(basename(build), join(root, '.build/current'))
  return root
}

const script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" "$0" && cd "$0" && exec "$@"'

/** A command that runs another one with the folder mounted read-only, for any user. */
export const readOnly = (folder: string): string[] => ['unshare', '-rm', 'sh', '-c', script, folder]

/** Whether users of this machine may make mounts for a command, as containers and systemd do. */
export const canReadOnly = (): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-read-only-'))
  const [command = '', ...args] = [...readOnly(folder), 'sh', '-c', '! touch here 2>/dev/null']
  return spawnSync(command, args).status === 0
}
