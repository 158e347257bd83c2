import { createHash, createHmac } from 'node:crypto'

/**
 * The commitment that is published before anybody plays: it fixes the seed without revealing its 32 random bytes.
 * Levels and dice are derived from the seed by HMAC, so they cannot be computed from this hash.
 */
export const toCommitment = (seed: string): string =>
  createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')

/**
 * The dice seed of one entrant. All entrants play the same levels, but each with their own dice, so that copying
 * another player's keys does not help.
 *
 * @param playerKey the name in lower case
 */
export const toDice = (seed: string, playerKey: string): string =>
  createHmac('sha256', Buffer.from(seed, 'hex')).update(playerKey).digest('hex')
