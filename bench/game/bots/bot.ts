import type { Observation } from '../../../game-server/core/observe.ts'

/** Chooses a key by what a player sees, and by nothing else. */
export type Bot = (seen: Observation) => string

export type Entity = Observation['entities'][number]

/** The first key whose description fits. */
export const keyThat = ({ keys }: Observation, does: RegExp): string | undefined =>
  keys.find((each) => does.test(each.does))?.key

/** Whether a key is of any use now. */
export const can = ({ keys }: Observation, key: string): boolean => keys.some((each) => each.key === key)

/** Monsters that are up and about, the nearest first. */
export const threatsOf = ({ entities }: Observation): Entity[] =>
  entities.filter(({ id, st, name }) => id > 0 && st !== 'asleep' && (name !== 'guardian' || st === 'hunting you'))

/** What cannot be fought is left alone. */
export const isStone = ({ name }: Entity): boolean => name === 'guardian'
