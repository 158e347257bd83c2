/** What can befall a player; each is a number of turns left, counted on the player's own turns only. */
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

/** Turns left of a status; 0 for none. */
export const turnsOf = (player: Afflicted, status: Status): number => player.statuses[numbers.get(status) ?? 0] ?? 0

export function setTurns(player: Afflicted, status: Status, turns: number): void {
  player.statuses[numbers.get(status) ?? 0] = turns
}

/** What nobody asks for: these are what a cure takes away. */
export const ailments: readonly Status[] = ['poisoned', 'slowed', 'confused', 'paralysed', 'burning', 'blind', 'stuck']
