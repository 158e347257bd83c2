import { randomBytes } from 'node:crypto'

/** The seed of a dungeon: 32 random bytes in hexadecimal, secret while it could help anybody. */
export const newSeed = (): string => randomBytes(32).toString('hex')
