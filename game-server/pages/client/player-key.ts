import { readFields, readText } from '../../../src/browser/read-value.ts'
import { keepStored, readStored } from './stored.ts'

/** Who this browser is in the dungeon. */
export interface PlayerKey {
  readonly name: string
  /** Proves it; never shown unless asked for, never part of an address. */
  readonly token: string
}

/** Who played here last. */
export function readPlayerKey(): PlayerKey | undefined {
  const { name, token } = readFields(readStored('player'))
  return readText(name) && readText(token) ? { name: readText(name), token: readText(token) } : undefined
}

/** Keeps who plays here, or forgets it. */
export const keepPlayerKey = (key: PlayerKey | undefined): void => keepStored('player', key)
