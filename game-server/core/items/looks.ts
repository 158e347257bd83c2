import { below, type Rng } from '../prng.ts'
import { type ItemGroup, itemKinds } from './kinds.ts'

const looks: Partial<Record<ItemGroup, readonly string[]>> = {
  potion: [
    'amber',
    'murky',
    'fizzing',
    'pink',
    'black',
    'milky',
    'green',
    'smoking',
    'golden',
    'grey',
    'glittering',
    'blue',
  ],
  scroll: [
    'IOU',
    'NIHIL OBSTAT',
    'PAID',
    'ERRATA',
    'SIC',
    'VERBATIM',
    'STET',
    'IN ARREARS',
    'OP CIT',
    'FINIS',
    'QED',
    'ET AL',
  ],
  wand: ['oak', 'bone', 'brass', 'glass', 'willow', 'iron', 'coral', 'paper'],
}

/** For every kind of item, the number of its look in one world. Within a group every kind has another look. */
export function shuffleLooks(rng: Rng): number[] {
  const shuffled = itemKinds.map(() => 0)
  for (const [group, names] of Object.entries(looks)) {
    const order = names.map((_, index) => index)
    itemKinds.forEach((kind, number) => {
      if (kind.group === group) shuffled[number] = order.splice(below(rng, order.length), 1)[0] ?? 0
    })
  }
  return shuffled
}

/** The look of a kind that is not identified; undefined for groups that are always identified. */
export function lookOf(group: ItemGroup, look: number): string | undefined {
  const name = looks[group]?.[look]
  if (name === undefined) return undefined
  return group === 'scroll' ? `scroll marked ${name}` : `${name} ${group}`
}
