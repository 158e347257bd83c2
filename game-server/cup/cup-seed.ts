import { createHash, createHmac } from 'node:crypto'

/**
 * What is published before anybody plays: it fixes the seed, and tells nothing of 32 random bytes. Dungeon and dice are
 * made from the seed by HMAC, of which this hash is no part.
 */
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
