import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { buildFiles } from '../storage/build-folder.ts'
import { smallCode } from './small-code.ts'

/** Files are served by the site; what Astro would serve them with brings a table of every type of file that there is. */
const withoutFiles: Plugin = {
  name: 'without-files',
  load: {
    filter: { id: /node_modules[\\/]send[\\/]index\.js$/ },
    handler: () => "module.exports = () => { throw new Error('Astro serves no files here') }",
  },
}

/**
 * Puts Astro's endpoints into one CommonJS file, in place of the modules that Astro wrote. A process that serves one
 * build after another can let go of such a file, where Node keeps an ES module for as long as the process lives.
 * What of its packages is used comes into it, which takes a third of the memory of the whole packages.
 */
export async function bundleServer({ outDir }: { readonly outDir: string }): Promise<void> {
  const { entry } = buildFiles(outDir)
  const folder = dirname(entry)
  const bundle = await rolldown({
    input: join(folder, 'entry.mjs'),
    platform: 'node',
    // Native code stays where it is.
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
