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
 * Bundles Astro's endpoints into one CommonJS file that replaces the modules that Astro wrote. A process that serves
 * one build after another can unload a CommonJS file, whereas Node keeps ES modules as long as the process lives. Only
 * the used parts of packages are bundled, which takes a third of the memory of the whole packages.
 */
export async function bundleServer({ outDir }: { readonly outDir: string }): Promise<void> {
  const { entry } = buildFiles(outDir)
  const folder = dirname(entry)
  const bundle = await rolldown({
    input: join(folder, 'entry.mjs'),
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
  const [chunk] = output
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  writeFileSync(entry, chunk.code)
}
