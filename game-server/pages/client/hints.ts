/** The facts that decide which hint is shown. */
export interface Situation {
  readonly hasFoe: boolean
  readonly hasLoot: boolean
  readonly isHurt: boolean
  readonly carries: boolean
  readonly seesWayDown: boolean
}

/** A hint, shown until the player has done it once. */
export interface Hint {
  readonly id: 'walk' | 'fight' | 'fetch' | 'heal' | 'rest' | 'explore' | 'descend'
  readonly isFor: (situation: Situation) => boolean
  /** The text for keyboards. `touch` is the text for touch screens. */
  readonly keys: string
  readonly touch: string
}

/** All hints, the most urgent first. */
const hints: readonly Hint[] = [
  {
    id: 'fight',
    isFor: ({ hasFoe }) => hasFoe,
    keys: 'Something is here. Walk into it to hit it. Nothing moves until you do, so think.',
    touch: 'Something is here. Step into it to hit it. Nothing moves until you do, so think.',
  },
  {
    id: 'walk',
    isFor: () => true,
    keys: 'The arrow keys walk; y u b n walk diagonally.',
    touch: 'The arrows walk. You can also tap where you want to go.',
  },
  {
    id: 'heal',
    isFor: ({ isHurt, carries }) => isHurt && carries,
    keys: 'You are hurt. The number beside an item in your pack uses it. You learn what it does by trying.',
    touch: 'You are hurt. Tap an item in your pack to use it. You learn what it does by trying.',
  },
  {
    id: 'rest',
    isFor: ({ isHurt, hasFoe }) => isHurt && !hasFoe,
    keys: 'R rests until you are healed or something comes into view.',
    touch: 'Rest waits until you are healed or something comes into view.',
  },
  {
    id: 'fetch',
    isFor: ({ hasLoot, hasFoe }) => hasLoot && !hasFoe,
    keys: 'g fetches the nearest item. It is yours: others find their own.',
    touch: 'Fetch gets the nearest item. It is yours: others find their own.',
  },
  {
    id: 'explore',
    isFor: ({ hasFoe }) => !hasFoe,
    keys: 'o explores by itself until something happens.',
    touch: 'Explore walks by itself until something happens.',
  },
  {
    id: 'descend',
    isFor: ({ seesWayDown, hasFoe }) => seesWayDown && !hasFoe,
    keys: '> walks to the stairs down; press it again on them to go down. Deeper scores more.',
    touch: '> walks to the stairs down; tap it again on them to go down. Deeper scores more.',
  },
]

/** The hint to show now, if any. */
export const findHint = (situation: Situation, learned: ReadonlySet<string>): Hint | undefined =>
  hints.find(({ id, isFor }) => !learned.has(id) && isFor(situation))

/** The hint that a player no longer needs after pressing this key. */
export function learnedFrom(key: string, { hasFoe }: Situation): Hint['id'] | undefined {
  if (key === 'o') return 'explore'
  if (key === 'g') return 'fetch'
  if (key === 'R') return 'rest'
  if (key === '>') return 'descend'
  if (/^[0-9=-]$/.test(key)) return 'heal'
  if (/north|south|east|west/.test(key)) return hasFoe ? 'fight' : 'walk'
  return undefined
}
