import { readFields, readText } from '../../../src/browser/read-value.ts'
import { keepStored, readStored } from './stored.ts'

/** The player's name and token, as stored in this browser. */
export interface PlayerKey {
  readonly name: string
  /** Authenticates the player. It is shown only on request, and is never part of a URL. */
  readonly token: string
}

/** The key of the player who played in this browser last. */
export function readPlayerKey(): PlayerKey | undefined {
  const { name, token } = readFields(readStored('player'))
  return readText(name) && readText(token) ? { name: readText(name), token: readText(token) } : undefined
}

/** Stores a key; `undefined` removes it. */
export const keepPlayerKey = (key: PlayerKey | undefined): void => keepStored('player', key)
