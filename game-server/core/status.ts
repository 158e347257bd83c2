/** The statuses of a player; each has a number of turns left, counted in the player's own turns. */
export const statusNames = [
  'poisoned',
  'slowed',
  'hasted',
  'confused',
  'paralysed',
  'burning',
  'floating',
  'telepathic',
  'blind',
  'stuck',
  'shielded',
] as const

export type Status = (typeof statusNames)[number]

const numbers = new Map<string, number>(statusNames.map((name, index) => [name, index]))

interface Afflicted {
  statuses: number[]
}

/** The turns left of a status; 0 if the player does not have it. */
export const turnsOf = (player: Afflicted, status: Status): number => player.statuses[numbers.get(status) ?? 0] ?? 0

export function setTurns(player: Afflicted, status: Status, turns: number): void {
  player.statuses[numbers.get(status) ?? 0] = turns
}

/** The harmful statuses, which a cure ends. */
export const ailments: readonly Status[] = ['poisoned', 'slowed', 'confused', 'paralysed', 'burning', 'blind', 'stuck']
