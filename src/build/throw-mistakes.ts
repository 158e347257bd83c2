import { join } from 'node:path'
import { BuildError } from './build-error.ts'
import { runBuildProgram } from './run-build-program.ts'

/** The exit code of `find-mistakes.ts` when it finds mistakes. */
export const hasMistakes = 3

/** Tells the author of the site that nothing is built until the mistakes are corrected. */
export const toCorrect = (sentences: string): string => `the site does not build until this is corrected:\n${sentences}`

/**
 * Reads all content once more to report every mistake at once, whereas a build ends with the first. That takes seconds
 * in a large site, so it is done only for builds that failed.
 *
 * @throws BuildError with a line for each mistake, if there is one
 */
export async function throwMistakes({ root, env }: { root: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const { end, tail } = await runBuildProgram([join(root, 'src/build/find-mistakes.ts')], { root, env })
  if (end === hasMistakes) throw new BuildError(toCorrect(tail))
}
