import { join } from 'node:path'
import { BuildError } from './build-error.ts'
import { runBuildProgram } from './run-build-program.ts'

/** The exit code of the program that finds mistakes, where there are some. */
export const hasMistakes = 3

/** Says to whoever wrote the site that nothing is built before that. */
export const toCorrect = (sentences: string): string => `the site does not build until this is corrected:\n${sentences}`

/**
 * Reads everything that is written once more, and says what is wrong with it: all at once, where a build ends with the
 * first. That takes seconds in a large site, so it is for builds that failed.
 *
 * @throws BuildError with a line for each mistake, if there is one
 */
export async function throwMistakes({ root, env }: { root: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const { end, tail } = await runBuildProgram([join(root, 'src/build/find-mistakes.ts')], { root, env })
  if (end === hasMistakes) throw new BuildError(toCorrect(tail))
}
