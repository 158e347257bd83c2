import { buildFiles, gameFiles } from '../../storage/build-folder.ts'

/** The parts of a build that do not depend on what is written, and the folder of each in a build. */
export const places = {
  game: (build: string) => gameFiles(build).folder,
  programs: (build: string) => buildFiles(build).programs,
} as const

export type Part = keyof typeof places
