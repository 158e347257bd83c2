import { createHash, createHmac, randomBytes } from 'node:crypto'

/** The seed of a cup: 32 random bytes in hexadecimal, secret until the cup is over. */
export const newCupSeed = (): string => randomBytes(32).toString('hex')

/** What is published before anybody plays: it fixes the seed without telling it. */
export const toCommitment = (seed: string): string =>
  createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')

/**
 * The dice of one entrant. The dungeon is the same for all and the dice are not, so that a list of keys that leaked
 * is no recipe.
 *
 * @param playerKey the name in lower case
 */
export const toDice = (seed: string, playerKey: string): string =>
  createHmac('sha256', Buffer.from(seed, 'hex')).update(playerKey).digest('hex')
