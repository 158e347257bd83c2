import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { rolldown } from 'rolldown'
import { buildFiles } from '../storage/build-folder.ts'

/**
 * Puts Astro's endpoints into one CommonJS file, in place of the modules that Astro wrote. A process that serves one
 * build after another can let go of such a file, where Node keeps an ES module for as long as the process lives.
 * Packages stay outside of it.
 */
export async function bundleServer({ outDir }: { readonly outDir: string }): Promise<void> {
  const { entry } = buildFiles(outDir)
  const folder = dirname(entry)
  const bundle = await rolldown({
    input: join(folder, 'entry.mjs'),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false, entryFileNames: basename(entry) })
  await bundle.close()
  const [chunk] = output
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  writeFileSync(entry, chunk.code)
}
