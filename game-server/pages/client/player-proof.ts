import { keepPlayerKey, type PlayerKey, readPlayerKey } from './player-key.ts'

/**
 * Decides with which name and key this page joins. A stored key that the host has refused is not sent again, but stays
 * stored until it is overwritten, because a host that was restored from a backup may accept it later.
 */
export function makePlayerProof() {
  let name = readPlayerKey()?.name ?? ''
  /** The token entered on the first screen, until the host has accepted or refused it; otherwise empty. */
  let entered = ''
  let shown: string | undefined
  let refused: string | undefined
  const read = (): PlayerKey | undefined => {
    const key = readPlayerKey()
    return key?.token === refused ? undefined : key
  }
  return {
    /** Takes what was entered on the first screen; an empty token is none. */
    enter(chosen: { readonly name: string; readonly token: string }): void {
      name = chosen.name
      entered = chosen.token
    },
    /** The name and the token, if there is one, to join with. */
    show(): { readonly name: string; readonly token?: string } {
      if (entered) return { name, token: entered }
      const key = read()
      shown = key?.token
      return key ?? { name }
    },
    /** Stores the key that the host has given. */
    accept(key: PlayerKey): void {
      keepPlayerKey(key)
      entered = ''
    },
    /** Records that the host has refused what was sent; returns whether there is a stored key to try next. */
    refuse(): boolean {
      if (entered) {
        entered = ''
        return false
      }
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
