import { join } from 'node:path'
import type { AstroBuild } from '../run-astro-build.ts'
import { runBuildProgram } from '../run-build-program.ts'
import { hasBundle } from './kept-bundle.ts'

/** The exit code of a repeated build whose posts need a new bundle. */
export const needsBundle = 3

/** The outcome of a repeated build; `from` is the build whose bundle was used. */
export type Repeated =
  | { readonly is: 'built'; readonly from: string }
  | { readonly is: 'unbuilt' }
  | { readonly is: 'failed'; readonly tail: string }

const programOf = (root: string): string => join(root, 'src/build/repeated/main.ts')

/**
 * Makes the pages of a site as `astro build` does, but from Astro's bundle of an earlier build of the same code: it
 * starts neither Astro nor a bundler. If the outcome is not `built`, files left in `outDir` may be overwritten.
 */
export async function runRepeatedBuild({ root, outDir, env, earlier }: AstroBuild): Promise<Repeated> {
  if (earlier === undefined || !hasBundle(earlier, root)) return { is: 'unbuilt' }
  const { end, tail } = await runBuildProgram([programOf(root), earlier, outDir], { root, env })
  if (end === 0) return { is: 'built', from: earlier }
  return end === needsBundle ? { is: 'unbuilt' } : { is: 'failed', tail }
}
