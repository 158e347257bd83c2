import { randomBytes } from 'node:crypto'

/** A new seed for a dungeon: 32 random bytes in hexadecimal, kept secret while anybody could still profit from it. */
export const newSeed = (): string => randomBytes(32).toString('hex')
