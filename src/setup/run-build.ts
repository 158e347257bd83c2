import { buildGame } from '../../game-server/build-game.ts'
import { type AstroBuild, runAstroBuild } from './run-astro-build.ts'

/**
 * Writes a whole build into a folder: the site, then what the game host serves.
 *
 * @throws BuildError when the site does not build
 */
export async function runBuild(build: AstroBuild): Promise<void> {
  await runAstroBuild(build)
  await buildGame(build)
}
