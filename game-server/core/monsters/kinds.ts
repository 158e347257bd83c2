/** How a monster moves. Swimmers stay in deep water, burrowers go through rock, rooted ones do not move. */
export type Gait = 'walks' | 'flies' | 'swims' | 'burrows' | 'rooted'

/** Special actions beside approaching and hitting; see `habits.ts`. */
export type Habit =
  | 'shoots'
  | 'mends'
  | 'summons'
  | 'webs'
  | 'gazes'
  | 'breathes'
  | 'blinks'
  | 'drums'
  | 'curses'
  | 'bursts'
  | 'slams'
  | 'watches'

/** Effects of its hits beside damage. */
export type Venom = 'poisons' | 'corrodes' | 'steals' | 'drains' | 'chills'

/** What happens when it is damaged or killed. */
export type Remains = 'splits' | 'spores' | 'blast' | 'rises'

/** Where a kind is used: each role of a level's plan maps to a post. */
export type Post = 'ambient' | 'pack' | 'ambush' | 'water' | 'vault-guard' | 'boss' | 'hunter' | 'called'

export interface MonsterKind {
  readonly id: string
  readonly name: string
  /** A letter that no other kind has. */
  readonly glyph: string
  readonly hp: number
  /** Its chance to hit a player without armour, in percent. */
  readonly aim: number
  readonly damage: readonly [number, number]
  /** 100 is the speed of a player. */
  readonly speed: number
  /** Subtracted from a player's chance to hit it, in percentage points. */
  readonly dodge: number
  readonly from: number
  readonly to: number
  readonly post: Post
  readonly gait: Gait
  readonly habit?: Habit
  readonly venom?: Venom
  readonly remains?: Remains
  /** The percentage of its moves that are random. */
  readonly erratic?: number
  /** Whether it flees once when it has lost half of its health. */
  readonly isCoward?: boolean
  /** Whether it keeps out of reach when it can. */
  readonly keepsAway?: boolean
  /** Whether it keeps away only while another monster hunts the same player. */
  readonly helps?: boolean
  /** Hidden until it is near (`low`), until it is walked into (`as-loot`), or unless it is adjacent (`always`). */
  readonly hides?: 'low' | 'as-loot' | 'always'
  readonly mends?: number
  /** Whether it cannot be damaged. */
  readonly isStone?: boolean
  /** Whether there is only one of its kind. */
  readonly isUnique?: boolean
  /** The rules version that added it, if not the first; worlds of older rules do not have it. */
  readonly since?: number
}

type Body = Pick<MonsterKind, 'hp' | 'aim' | 'damage' | 'speed' | 'dodge'>
type Rest = Partial<Omit<MonsterKind, keyof Body | 'name' | 'glyph' | 'from' | 'to' | 'id'>>

const body = (hp: number, aim: number, lo: number, hi: number, speed: number, dodge: number): Body => ({
  hp,
  aim,
  damage: [lo, hi],
  speed,
  dodge,
})

const kind = (glyph: string, name: string, [from, to]: [number, number], its: Body, rest: Rest = {}): MonsterKind => ({
  id: name,
  name,
  glyph,
  from,
  to,
  post: 'ambient',
  gait: 'walks',
  ...its,
  ...rest,
})

/** Kinds are saved as their index in this list, so new ones must be added at the end, with `since` their rules. */
export const monsterKinds: readonly MonsterKind[] = [
  kind('r', 'sewer rat', [1, 3], body(6, 65, 1, 3, 100, 5)),
  kind('b', 'cave bat', [1, 4], body(6, 60, 1, 3, 200, 15), { gait: 'flies', erratic: 40 }),
  kind('k', 'kobold', [1, 4], body(8, 65, 1, 4, 100, 5), { isCoward: true }),
  kind('j', 'jackal', [1, 4], body(7, 65, 1, 4, 150, 5), { post: 'pack' }),
  kind('e', 'eel', [1, 12], body(16, 75, 3, 6, 150, 10), { post: 'water', gait: 'swims', hides: 'low' }),
  kind('m', 'monkey', [2, 6], body(10, 75, 1, 2, 120, 15), { venom: 'steals' }),
  kind('g', 'goblin', [3, 7], body(15, 75, 3, 6, 100, 8), { post: 'pack' }),
  kind('a', 'goblin archer', [3, 7], body(10, 70, 2, 5, 100, 5), { post: 'pack', habit: 'shoots', keepsAway: true }),
  kind('s', 'goblin shaman', [4, 8], body(10, 60, 1, 3, 100, 5), {
    post: 'pack',
    habit: 'mends',
    keepsAway: true,
    helps: true,
  }),
  kind('J', 'jelly', [3, 7], body(30, 65, 1, 4, 100, 0), { remains: 'splits' }),
  kind('B', 'bloat', [2, 8], body(4, 0, 0, 0, 50, 0), { gait: 'flies', remains: 'spores' }),
  kind('l', 'lurker', [2, 9], body(16, 80, 3, 6, 100, 5), { post: 'ambush', hides: 'low' }),
  kind('M', 'acid mound', [3, 8], body(18, 75, 2, 5, 100, 5), { venom: 'corrodes' }),
  kind('S', 'spider', [5, 10], body(20, 75, 3, 6, 100, 10), { habit: 'webs', venom: 'poisons' }),
  kind('Z', 'zombie', [4, 9], body(40, 75, 4, 8, 50, 0)),
  kind('O', 'ogre', [5, 10], body(45, 70, 6, 11, 70, 5)),
  kind('w', 'rock worm', [4, 9], body(24, 75, 4, 8, 80, 0), { gait: 'burrows' }),
  kind('i', 'imp', [6, 11], body(20, 80, 4, 7, 100, 20), { habit: 'blinks' }),
  kind('G', 'gazer', [6, 12], body(28, 75, 4, 7, 70, 0), { gait: 'flies', habit: 'gazes' }),
  kind('c', 'mimic', [3, 12], body(24, 80, 4, 8, 100, 0), { post: 'ambush', hides: 'as-loot' }),
  kind('X', 'guardian', [1, 12], body(99, 95, 8, 14, 50, 0), { post: 'vault-guard', habit: 'watches', isStone: true }),
  kind('n', 'necromancer', [7, 12], body(24, 70, 3, 7, 100, 10), { habit: 'summons', keepsAway: true }),
  kind('z', 'skeleton', [7, 12], body(20, 75, 4, 7, 100, 10), { post: 'pack', remains: 'rises' }),
  kind('W', 'wraith', [7, 12], body(34, 80, 5, 10, 110, 15), { venom: 'chills' }),
  kind('T', 'troll', [8, 12], body(55, 75, 7, 12, 100, 5), { mends: 3 }),
  kind('D', 'drake', [9, 12], body(60, 80, 7, 13, 100, 10), { gait: 'flies', habit: 'breathes' }),
  kind('d', 'war drummer', [5, 10], body(14, 60, 1, 4, 100, 5), {
    post: 'pack',
    habit: 'drums',
    keepsAway: true,
    helps: true,
  }),
  kind('f', 'fuse beetle', [5, 11], body(8, 0, 0, 0, 150, 10), { habit: 'bursts', remains: 'blast' }),
  kind('v', 'blood bat', [6, 11], body(16, 75, 3, 6, 200, 20), { gait: 'flies', venom: 'drains', erratic: 35 }),
  kind('h', 'hedge witch', [7, 12], body(24, 75, 4, 8, 100, 10), { habit: 'curses', keepsAway: true }),
  kind('p', 'phantom', [8, 12], body(30, 80, 5, 10, 100, 20), { gait: 'flies', hides: 'always' }),
  kind('C', 'centipede', [4, 8], body(22, 75, 2, 5, 70, 5), { venom: 'poisons' }),
  kind('q', "bailiff's hound", [1, 4], body(12, 75, 2, 5, 120, 10), { post: 'hunter' }),
  kind('y', 'bailiff', [5, 8], body(32, 80, 4, 9, 100, 10), { post: 'hunter' }),
  kind('R', 'receiver', [9, 12], body(55, 85, 7, 13, 100, 15), { post: 'hunter' }),
  kind('K', 'Alderman', [4, 4], body(40, 75, 4, 8, 100, 10), { post: 'boss', habit: 'summons', isUnique: true }),
  kind('F', 'Foreman', [8, 8], body(80, 80, 4, 8, 80, 0), { post: 'boss', habit: 'slams', isUnique: true }),
  kind('U', 'Tallyman', [12, 12], body(100, 85, 7, 13, 100, 15), {
    post: 'boss',
    habit: 'blinks',
    venom: 'drains',
    isUnique: true,
  }),
  kind('u', 'dun', [1, 4], body(14, 65, 2, 6, 80, 0), { post: 'hunter' }),
  kind('P', 'process server', [1, 4], body(9, 65, 1, 4, 100, 10), { post: 'hunter', habit: 'shoots' }),
  kind('o', 'bloodhound', [5, 8], body(24, 80, 4, 7, 150, 10), { post: 'hunter' }),
  kind('t', 'tipstaff', [5, 8], body(28, 80, 3, 8, 100, 15), { post: 'hunter', habit: 'curses' }),
  kind('E', 'executor', [9, 12], body(44, 85, 6, 11, 100, 15), { post: 'hunter', venom: 'chills' }),
  kind('L', 'liquidator', [9, 12], body(40, 85, 5, 10, 120, 10), { post: 'hunter', venom: 'corrodes' }),
  kind('H', 'hobgoblin', [6, 10], body(26, 75, 4, 8, 100, 8), { post: 'pack' }),
  kind('I', 'ironclad', [9, 12], body(40, 80, 7, 12, 75, 0), { post: 'pack' }),
  kind('N', 'ink wight', [9, 12], body(28, 80, 5, 9, 110, 15), { post: 'pack', venom: 'poisons' }),
]

/** Whether worlds of these rules have this kind. */
export const livesUnder = (rules: number, { since = 1 }: MonsterKind): boolean => since <= rules

export function monsterKind(number: number): MonsterKind {
  const found = monsterKinds[number]
  if (!found) throw new RangeError(`no monster has the number ${number}`)
  return found
}

/**
 * The number of a kind.
 *
 * @throws RangeError when no kind has this id
 */
export function monsterNumber(id: string): number {
  const number = monsterKinds.findIndex((each) => each.id === id)
  if (number < 0) throw new RangeError(`no monster is called ${id}`)
  return number
}

/** "a goblin", "an ogre", "the Tallyman". */
export function oneOf({ name, isUnique }: MonsterKind): string {
  if (isUnique) return `the ${name}`
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
}
