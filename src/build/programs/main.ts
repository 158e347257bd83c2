// Makes the game host's files, the programs, or both: `node main.ts OUT game programs`, run in the repository.

import { buildGame } from './build-game.ts'
import { bundlePrograms } from './bundle-programs.ts'

const [outDir = '', ...parts] = process.argv.slice(2)
const build = { root: process.cwd(), outDir }
if (parts.includes('game')) await buildGame(build)
if (parts.includes('programs')) await bundlePrograms(build)
