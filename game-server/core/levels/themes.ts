import { T } from '../tiles.ts'
import { addCrossings } from './add-crossings.ts'
import { addLoops } from './add-loops.ts'
import { attachRooms } from './attach-rooms.ts'
import { carveCaves } from './carve-caves.ts'
import { carveChasms, tearChasm } from './carve-chasms.ts'
import { carveUndercroft } from './carve-undercroft.ts'
import { carveWarrens } from './carve-warrens.ts'
import { carveWorks } from './carve-works.ts'
import type { Draft } from './draft.ts'
import { floodLake } from './flood-lake.ts'
import { growPatches } from './grow-patches.ts'
import type { Theme } from './level-plan.ts'
import { placeSolids } from './place-solids.ts'
import { placeVaults } from './place-vaults.ts'
import { cloister, corner, cross, disc, niches, pillared, rectangle } from './room-shapes.ts'
import { tidyDoors } from './tidy-doors.ts'

/** Ordinary rooms and doors. */
function buildCellars(draft: Draft): void {
  const shapes = [rectangle, rectangle, rectangle, rectangle, cross, cross, corner, disc, pillared]
  attachRooms(draft, { shapes, rooms: 24, doorPercent: 60, hallPercent: 45 })
  addLoops(draft, 7, 24, 60)
  placeVaults(draft)
  growPatches(draft, T.rubble, 5, 8)
  growPatches(draft, T.grass, 2, 40)
  placeSolids(draft, T.statue, 2)
}

/** Burial chambers with lakes. */
function buildCrypts(draft: Draft): void {
  const shapes = [rectangle, disc, disc, niches, niches, cloister, cross]
  attachRooms(draft, { shapes, rooms: 22, doorPercent: 35, hallPercent: 60 })
  addLoops(draft, 6, 24, 60)
  placeVaults(draft)
  floodLake(draft, 5)
  floodLake(draft, 4)
  floodLake(draft, 4)
  tidyDoors(draft)
  addCrossings(draft, T.deepWater, 3)
  growPatches(draft, T.water, 5, 16)
  growPatches(draft, T.rubble, 8, 7)
  placeSolids(draft, T.statue, 7)
}

function buildCaves(draft: Draft): void {
  carveCaves(draft)
  placeVaults(draft)
  floodLake(draft, 4)
  addCrossings(draft, T.deepWater, 1)
  growPatches(draft, T.grass, 9, 70)
  growPatches(draft, T.tallGrass, 6, 26)
  growPatches(draft, T.fungus, 7, 5)
  growPatches(draft, T.rubble, 6, 6)
}

function buildWorks(draft: Draft): void {
  carveWorks(draft)
  placeVaults(draft)
  growPatches(draft, T.rubble, 9, 12)
  placeSolids(draft, T.statue, 9)
  placeSolids(draft, T.crystal, 3)
}

function buildWarrens(draft: Draft): void {
  carveWarrens(draft)
  placeVaults(draft)
  growPatches(draft, T.rubble, 8, 8)
  growPatches(draft, T.fungus, 9, 4)
}

function buildChasms(draft: Draft): void {
  carveChasms(draft)
  placeVaults(draft)
  tearChasm(draft, true)
  tearChasm(draft, false)
  tearChasm(draft, false)
  addCrossings(draft, T.chasm, 4)
  growPatches(draft, T.rubble, 8, 10)
  growPatches(draft, T.fungus, 4, 4)
  placeSolids(draft, T.crystal, 12)
}

function buildUndercroft(draft: Draft): void {
  carveUndercroft(draft)
  growPatches(draft, T.rubble, 7, 9)
}

interface ThemeOfDepth {
  theme: Theme
  build: (draft: Draft) => void
}

const cellars: ThemeOfDepth = { theme: 'cellars', build: buildCellars }
const crypts: ThemeOfDepth = { theme: 'crypts', build: buildCrypts }
const caves: ThemeOfDepth = { theme: 'caves', build: buildCaves }
const works: ThemeOfDepth = { theme: 'works', build: buildWorks }
const warrens: ThemeOfDepth = { theme: 'warrens', build: buildWarrens }
const chasms: ThemeOfDepth = { theme: 'chasms', build: buildChasms }
const undercroft: ThemeOfDepth = { theme: 'undercroft', build: buildUndercroft }

/** The theme of each depth, from 1 to 12. */
export const themes: readonly ThemeOfDepth[] = [
  cellars,
  cellars,
  crypts,
  crypts,
  caves,
  caves,
  works,
  works,
  warrens,
  chasms,
  chasms,
  undercroft,
]
