import { join } from 'node:path'
import { buildFiles, gameFiles } from '../../storage/build-folder.ts'
import { BuildError } from '../build-error.ts'
import type { AstroBuild } from '../run-astro-build.ts'
import { runBuildProgram } from '../run-build-program.ts'
import { takeOver } from '../take-over.ts'

/** The parts of a build that do not depend on what is written, and the folder of each in a build. */
const places: Readonly<Record<string, (build: string) => string>> = {
  game: (build) => gameFiles(build).folder,
  programs: (build) => buildFiles(build).programs,
}

/**
 * Makes the game host's files and the programs, or takes those of an earlier build. They are made in a process of its
 * own, because a bundler keeps hundreds of megabytes as long as its process lives.
 *
 * @throws BuildError when they cannot be made
 */
export async function makePrograms({ root, outDir, env, earlier }: AstroBuild): Promise<void> {
  const missing: string[] = []
  for (const [part, place] of Object.entries(places))
    if (earlier === undefined || !(await takeOver(place(earlier), place(outDir)))) missing.push(part)
  if (missing.length === 0) return
  const program = [join(root, 'src/build/programs/main.ts'), outDir, ...missing]
  const { end, tail } = await runBuildProgram(program, { root, env })
  if (end !== 0) throw new BuildError(`the programs do not build (${end}); the end of the output:\n${tail}`)
}
