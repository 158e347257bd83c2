import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { bundleFile, bundleVersion } from './bundle-file.ts'
import { toTar } from './tar.ts'

const program = 'dungeon-mcp.mjs'

/** The package.json for npx; it has no dependencies, so that nothing else is installed. */
const manifest = {
  name: 'dungeon-mcp',
  version: bundleVersion,
  description: 'Undercroft as MCP tools over stdio.',
  license: 'MIT',
  type: 'module',
  bin: { 'dungeon-mcp': program },
  engines: { node: '>=20' },
}

/**
 * Writes the archive that `cursor_config` names: an npm package of one file that plain Node 20 runs. The same sources
 * give the same bytes, so that caches of npx stay valid.
 *
 * @throws Error when the program imports something that cannot be bundled into the file
 */
export async function buildBundle(root: string, outDir: string): Promise<void> {
  const { code, licences } = await bundle(root)
  const files = [
    { path: 'package/package.json', bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), mode: 0o644 },
    { path: `package/${program}`, bytes: Buffer.from(code), mode: 0o755 },
    { path: 'package/LICENSES.txt', bytes: Buffer.from(licences), mode: 0o644 },
  ]
  await mkdir(outDir, { recursive: true })
  await writeFile(join(outDir, bundleFile), gzipSync(toTar(files), { level: 9 }))
}

async function bundle(root: string): Promise<{ code: string; licences: string }> {
  const build = await rolldown({
    input: join(root, 'game-server/mcp/stdio/main.ts'),
    cwd: root,
    platform: 'node',
    transform: { target: 'node20' },
    logLevel: 'silent',
  })
  const { output } = await build.generate({
    format: 'esm',
    codeSplitting: false,
    banner: '#!/usr/bin/env node',
    // Names are kept, so that users can read the program before they run it.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  })
  await build.close()
  const [chunk, ...others] = output
  const foreign = [...chunk.imports, ...chunk.dynamicImports].filter(
    (name) => name !== chunk.fileName && !name.startsWith('node:'),
  )
  if (others.length > 0 || foreign.length > 0)
    throw new Error(`dungeon-mcp does not bundle into one file; it still needs ${foreign.join(', ')}`)
  return { code: chunk.code, licences: await collectLicences(root, chunk.moduleIds) }
}

/** The licences of all packages in the bundle. */
async function collectLicences(root: string, moduleIds: readonly string[]): Promise<string> {
  const folders = new Set([root])
  for (const id of moduleIds) {
    const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0]
    if (folder !== undefined) folders.add(folder)
  }
  const texts = await Promise.all(
    [...folders].toSorted().map(async (folder) => {
      const title = folder === root ? manifest.name : folder.slice(folder.lastIndexOf('/node_modules/') + 14)
      return `${title}\n\n${await readFile(join(folder, 'LICENSE'), 'utf8')}`
    }),
  )
  return texts.join(`\n\n${'-'.repeat(72)}\n\n`)
}
