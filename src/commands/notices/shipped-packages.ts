import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
})

/** What runs a site, or a row of packages of which each platform installs one. */
export interface ShippedPackage {
  /** Such a row is named by what its names begin with: `@esbuild/*`. */
  readonly name: string
  readonly version: string
  /** As SPDX writes it. */
  readonly licence: string
  /** Below the repository. Without it, not every machine has the package. */
  readonly folder: string | undefined
}

const byName = (a: ShippedPackage, b: ShippedPackage) =>
  a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1

/**
 * Every package that is more than a tool for the authors, by the lock file alone: so the list is the same on a machine
 * of any kind.
 *
 * @throws Error when one is locked without a licence
 */
export function readShippedPackages(root: string): ShippedPackage[] {
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const owners = new Map(
    Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => [name, path] as const),
    ),
  )
  const rows = new Map<string, { name: string; licence: string | undefined }[]>()
  const shipped = new Map<string, ShippedPackage>()
  for (const [path, { version = '', license: licence, ...locked }] of Object.entries(lock.packages)) {
    if (path === '' || locked.dev) continue
    const name = locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const owner = locked.optional ? owners.get(name) : undefined
    if (owner !== undefined) {
      const row = `${owner} ${version}`
      rows.set(row, [...(rows.get(row) ?? []), { name, licence }])
    } else {
      if (licence === undefined) throw new Error(`package-lock.json: ${path} has no licence; find out which and say so`)
      const folder = locked.optional || locked.devOptional ? undefined : path
      shipped.set(`${name} ${version}`, { name, version, licence, folder })
    }
  }
  return [...shipped.values(), ...[...rows].flatMap(([row, members]) => toRows(row, members))].sort(byName)
}

/** One entry for the members under one licence. An incomplete registry leaves it out of some: they are as the others. */
function toRows(row: string, members: readonly { name: string; licence: string | undefined }[]): ShippedPackage[] {
  const usual = members.find(({ licence }) => licence !== undefined)?.licence
  if (usual === undefined) throw new Error(`package-lock.json: nothing of ${row} has a licence; find out which`)
  const byLicence = Object.groupBy(members, ({ licence }) => licence ?? usual)
  const version = row.slice(row.lastIndexOf(' ') + 1)
  return Object.entries(byLicence).map(([licence, same = []]) => ({
    name: commonName(same.map(({ name }) => name)),
    version,
    licence,
    folder: undefined,
  }))
}

function commonName(names: readonly string[]): string {
  const [first = '', ...others] = names
  if (others.length === 0) return first
  let length = first.length
  while (!others.every((name) => name.startsWith(first.slice(0, length)))) length -= 1
  return `${first.slice(0, length).replace(/[^-/]*$/, '')}*`
}
