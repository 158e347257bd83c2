import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BuildError } from './build-error.ts'
import { openPictureCache } from './images/picture-cache.ts'
import { runBuildProgram } from './run-build-program.ts'
import { throwMistakes, toCorrect } from './throw-mistakes.ts'

export interface AstroBuild {
  readonly root: string
  readonly outDir: string
  readonly env: NodeJS.ProcessEnv
  /** The folder of a finished build that differs in its posts at most. */
  readonly earlier?: string
  /** Receives single lines for people to read. */
  readonly log?: (line: string) => void
}

/** Where Astro's command lies in an installation. */
const astroProgram = (root: string): string => join(root, 'node_modules/astro/bin/astro.mjs')

/**
 * Whether a line is meant for the author of a file: it begins with the file, or with an address that two pages claim.
 */
const isForWriter = (line: string): boolean =>
  /^(?:content\/|functions\/|site\.config\.ts|\/\S* is an alias )/.test(line)

/**
 * The lines about mistakes in the content at the end of Astro's output, without the stack trace. These are mistakes
 * that show only when pages are rendered.
 */
function findSentences(tail: string): string | undefined {
  const lines = tail.split('\n')
  const end = lines.findIndex((line) => /^ {2}(?:Hint|Error reference|Location|Stack trace):$/.test(line))
  const above = lines.slice(0, Math.max(0, end))
  return above.slice(above.findLastIndex((line) => !isForWriter(line)) + 1).join('\n') || undefined
}

/**
 * Runs `astro build` into a folder, silently.
 *
 * @param lastFile the file that the build writes last. Without it the build has failed: Astro ends without an error as
 * well when a step waits for something that never comes
 * @throws BuildError when it fails: with every mistake in the content or, if there is none, the tail of Astro's output
 */
export async function runAstroBuild({ root, outDir, env, earlier }: AstroBuild, lastFile?: string): Promise<void> {
  const program = [astroProgram(root), 'build', '--outDir', outDir]
  const pictures = await openPictureCache(root)
  const { end, tail } = await runBuildProgram(program, { root, env: { ...env, EARLIER_BUILD: earlier } })
  if (end === 0 && (lastFile === undefined || existsSync(lastFile))) return pictures.close()
  await throwMistakes({ root, env })
  const sentences = findSentences(tail)
  if (sentences !== undefined) throw new BuildError(toCorrect(sentences))
  const reason = end === 0 ? 'no result' : typeof end === 'number' ? `exit code ${end}` : `${end}`
  throw new BuildError(`the site does not build (astro build ended with ${reason}); the end of its output:\n${tail}`)
}
