import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { buildFiles } from '../storage/build-folder.ts'
import { smallCode } from './small-code.ts'

/**
 * Leaves out the package that Astro serves files with: the site serves them itself, and it has a large table of types.
 */
const withoutFiles: Plugin = {
  name: 'without-files',
  load: {
    filter: { id: /node_modules[\\/]send[\\/]index\.js$/ },
    handler: () => "module.exports = () => { throw new Error('Astro serves no files here') }",
  },
}

/**
 * Bundles Astro's endpoints, as it wrote them for an unfinished build, into one CommonJS file. A process that serves
 * one build after another can unload a CommonJS file, whereas Node keeps ES modules as long as the process lives. Only
 * the used parts of packages are bundled, which takes a third of the memory of the whole packages.
 *
 * @returns the code of the file, for `placeServer`
 */
export async function bundleServer(outDir: string): Promise<string> {
  const { entry } = buildFiles(outDir)
  const bundle = await rolldown({
    input: join(dirname(entry), 'entry.mjs'),
    platform: 'node',
    // Native code cannot be bundled.
    external: ['sharp'],
    logLevel: 'silent',
    plugins: [withoutFiles],
  })
  const { output } = await bundle.generate({
    format: 'cjs',
    codeSplitting: false,
    entryFileNames: basename(entry),
    ...smallCode,
  })
  await bundle.close()
  return output[0].code
}

/** Replaces the modules that Astro wrote by the file that `bundleServer` made of them. */
export function placeServer(outDir: string, code: string): void {
  const { entry } = buildFiles(outDir)
  const folder = dirname(entry)
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  writeFileSync(entry, code)
}
