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

/**
 * Decides which key this page sends to the host. A key that the host has refused is not sent again, but stays stored
 * until it is overwritten, because a host that was restored from a backup may accept it later.
 */
export function makePlayerProof() {
  let shown: string | undefined
  let refused: string | undefined
  const read = (): PlayerKey | undefined => {
    const key = readPlayerKey()
    return key?.token === refused ? undefined : key
  }
  return {
    /** The key to join with, if there is one. */
    show(): PlayerKey | undefined {
      const key = read()
      shown = key?.token
      return key
    },
    /** Records that the host has refused the key that was sent; returns whether there is another one to try. */
    refuse(): boolean {
      refused = shown ?? refused
      return read() !== undefined
    },
    /** The stored key, if the host has refused it. */
    former(): PlayerKey | undefined {
      const key = readPlayerKey()
      return key?.token === refused ? key : undefined
    },
  }
}
