import { pick } from '../prng.ts'
import { T } from '../tiles.ts'
import type { Draft } from './draft.ts'
import type { ItemSlot, MonsterRole, TrapKind } from './level-plan.ts'

const tileOf: Readonly<Record<string, number>> = {
  '#': T.wall,
  '+': T.door,
  S: T.secretDoor,
  "'": T.arch,
  '"': T.grass,
  w: T.tallGrass,
  ',': T.rubble,
  '~': T.water,
  '=': T.deepWater,
  ':': T.chasm,
  _: T.altar,
  t: T.statue,
  '*': T.crystal,
  f: T.fungus,
  '^': T.hiddenTrap,
  H: T.bridge,
  '<': T.stairsUp,
}

const slotOf: Readonly<Record<string, ItemSlot>> = { '?': 'vault', '!': 'random', $: 'gold', '&': 'amulet' }

const roleOf: Readonly<Record<string, MonsterRole>> = {
  v: 'vault-guard',
  g: 'guard',
  a: 'ambush',
  m: 'ambient',
  p: 'pack',
  B: 'boss',
}

const trapKinds: readonly TrapKind[] = ['dart', 'net', 'alarm']

/** Builds one cell of a vault from its sign, and marks it as taken, so that nothing changes it later. */
export function furnishCell(draft: Draft, sign: string, cell: number): void {
  const { rng, tiles, taken, items, monsters, traps, vaults } = draft
  tiles[cell] = tileOf[sign] ?? T.floor
  taken[cell] = 1
  const slot = slotOf[sign]
  if (slot === 'vault') items.push({ slot, cell, vault: vaults })
  else if (slot) items.push({ slot, cell })
  const role = roleOf[sign]
  // Packs outside vaults are numbered from 1, those of vaults from 100.
  if (role === 'pack') monsters.push({ role, cell, isAsleep: true, pack: 100 + vaults })
  else if (role) monsters.push({ role, cell, isAsleep: role !== 'guard' && role !== 'vault-guard' })
  if (sign === '^') traps.push({ kind: pick(rng, trapKinds), cell })
}
