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

/**
 * What this page shows the host of who plays. A key that the host does not take is shown to it no more, and kept until
 * another takes its place: a host that was restored from an older backup may know it again.
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
    /** The host did not take what it was shown. Says whether there is another key to try. */
    refuse(): boolean {
      refused = shown ?? refused
      return read() !== undefined
    },
    /** The key that is kept though the host did not take it. */
    former(): PlayerKey | undefined {
      const key = readPlayerKey()
      return key?.token === refused ? key : undefined
    },
  }
}
