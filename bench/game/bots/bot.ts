import type { Observation } from '../../../game-server/core/observe.ts'

/** Chooses a key only by the observation that a player gets. */
export type Bot = (seen: Observation) => string

export type Entity = Observation['entities'][number]

/** The first key whose description fits. */
export const keyThat = ({ keys }: Observation, does: RegExp): string | undefined =>
  keys.find((each) => does.test(each.does))?.key

/** Whether a key does something now. */
export const can = ({ keys }: Observation, key: string): boolean => keys.some((each) => each.key === key)

/** Monsters that are awake, the nearest first; guardians only while they hunt. */
export const threatsOf = ({ entities }: Observation): Entity[] =>
  entities.filter(({ id, st, name }) => id > 0 && st !== 'asleep' && (name !== 'guardian' || st === 'hunting you'))

/** Whether a monster cannot be fought, as the guardians. */
export const isStone = ({ name }: Entity): boolean => name === 'guardian'
