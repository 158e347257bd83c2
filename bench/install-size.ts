import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const names = z.record(z.string(), z.unknown()).default({})
const packageSchema = z.object({
  dev: z.boolean().default(false),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
})
const lockSchema = z.object({ packages: z.record(z.string(), packageSchema) })

/**
 * Bytes on disk of the packages that `npm ci --omit=dev` installs here for a project with these dependencies, in the
 * versions of our lock file; packages for other systems are not counted.
 *
 * @param wanted names of packages; the dependencies of this repository when absent
 */
export function installBytes(root: string, wanted?: readonly string[]): number {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  /** Resolves a package as Node.js does: in the folder of the dependent package, then further up. */
  const find = (name: string, from: string): string | undefined => {
    const path = join(from, 'node_modules', name)
    if (path in packages) return path
    return from === '' ? undefined : find(name, from.slice(0, Math.max(0, from.lastIndexOf('node_modules') - 1)))
  }
  const first = wanted ?? Object.keys(packages['']?.dependencies ?? {})
  const found = new Set(first.flatMap((name) => find(name, '') ?? []))
  for (const path of found) {
    const its = packages[path]
    const needed = { ...its?.dependencies, ...its?.optionalDependencies, ...its?.peerDependencies }
    for (const name of Object.keys(needed)) {
      const next = find(name, path)
      if (next !== undefined && packages[next]?.dev === false) found.add(next)
    }
  }
  return [...found].reduce((sum, path) => sum + bytesOf(join(root, path)), 0)
}

/** Bytes on disk of all files in a package, without the packages nested in it. */
function bytesOf(folder: string): number {
  if (!existsSync(folder)) return 0
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const own = files.filter(({ parentPath }) => !parentPath.slice(folder.length).includes('node_modules'))
  return own.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).blocks * 512, 0)
}
