/** What the learner sees now. */
export interface Situation {
  readonly hasFoe: boolean
  readonly hasLoot: boolean
  readonly isHurt: boolean
  readonly carries: boolean
  readonly seesWayDown: boolean
}

/** What a learner is told until it has been done once. */
export interface Hint {
  readonly id: 'walk' | 'fight' | 'fetch' | 'heal' | 'rest' | 'explore' | 'descend'
  readonly isFor: (situation: Situation) => boolean
  /** With a keyboard, and with thumbs. */
  readonly keys: string
  readonly touch: string
}

/** The most urgent first. */
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
    keys: 'The arrow keys walk; y u b n go askew. Walls are patient.',
    touch: 'The arrows walk, and so does a tap on the floor. Walls are patient.',
  },
  {
    id: 'heal',
    isFor: ({ isHurt, carries }) => isHurt && carries,
    keys: 'You bleed. The number beside a thing in your pack uses it; what it does, you learn by trying.',
    touch: 'You bleed. Tap a thing in your pack to use it; what it does, you learn by trying.',
  },
  {
    id: 'rest',
    isFor: ({ isHurt, hasFoe }) => isHurt && !hasFoe,
    keys: 'R rests until you are whole or somebody objects.',
    touch: 'Rest, until you are whole or somebody objects.',
  },
  {
    id: 'fetch',
    isFor: ({ hasLoot, hasFoe }) => hasLoot && !hasFoe,
    keys: 'g fetches what lies about. It is yours: others find their own.',
    touch: 'Fetch gets what lies about. It is yours: others find their own.',
  },
  {
    id: 'explore',
    isFor: ({ hasFoe }) => !hasFoe,
    keys: 'o explores by itself, until something happens.',
    touch: 'Explore walks by itself, until something happens.',
  },
  {
    id: 'descend',
    isFor: ({ seesWayDown, hasFoe }) => seesWayDown && !hasFoe,
    keys: '> takes you to the stairs you know, and down them. Deeper is worth more.',
    touch: '> takes you to the stairs you know, and down them. Deeper is worth more.',
  },
]

/** What to say next, if anything. */
export const findHint = (situation: Situation, learned: ReadonlySet<string>): Hint | undefined =>
  hints.find(({ id, isFor }) => !learned.has(id) && isFor(situation))

/** What somebody has learned who pressed a key and whose turn it took. */
export function learnedFrom(key: string, { hasFoe }: Situation): Hint['id'] | undefined {
  if (key === 'o') return 'explore'
  if (key === 'g') return 'fetch'
  if (key === 'R') return 'rest'
  if (key === '>') return 'descend'
  if (/^[0-9=-]$/.test(key)) return 'heal'
  if (/north|south|east|west/.test(key)) return hasFoe ? 'fight' : 'walk'
  return undefined
}
