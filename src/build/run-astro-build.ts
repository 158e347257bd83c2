import { join } from 'node:path'
import { openPictureCache } from './images/picture-cache.ts'
import { runBuildProgram } from './run-build-program.ts'

export interface AstroBuild {
  readonly root: string
  readonly outDir: string
  readonly env: NodeJS.ProcessEnv
  /** The folder of a finished build that differs in its posts at most. */
  readonly earlier?: string
  /** Is told one line for people. */
  readonly log?: (line: string) => void
}

/** A site that does not build: one sentence, then the end of what Astro said. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
}

/** Where Astro's command lies in an installation. */
const astroProgram = (root: string): string => join(root, 'node_modules/astro/bin/astro.mjs')

/**
 * Runs `astro build` into a folder, silently.
 *
 * @throws BuildError with the tail of its output when it fails
 */
export async function runAstroBuild({ root, outDir, env, earlier }: AstroBuild): Promise<void> {
  const program = [astroProgram(root), 'build', '--outDir', outDir]
  const pictures = await openPictureCache(root)
  const { end, tail } = await runBuildProgram(program, { root, env: { ...env, EARLIER_BUILD: earlier } })
  if (end === 0) return pictures.close()
  const reason = typeof end === 'number' ? `exit code ${end}` : `${end}`
  throw new BuildError(`the site does not build (astro build ended with ${reason}); the end of its output:\n${tail}`)
}
