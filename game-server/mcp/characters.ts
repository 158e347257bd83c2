/** A character that a caller plays: its name, and the token that proves ownership. */
export interface Character {
  readonly name: string
  readonly token: string
}

/** The characters known to a connection. The argument `session` of a call takes precedence over them. */
export interface Characters {
  /** The token of the character that looks and acts when a call has no `session`. */
  current(): string | undefined
  /** Whether the game has accepted a character of this connection; a bearer token alone proves nothing. */
  hasPlayed(): boolean
  /** Records that the game has accepted a call. */
  notePlay(): void
  /** The character to join with when this name is requested. */
  find(name: string): Character | undefined
  /** Stores a character under its name and under the requested one, which differ if that was taken. */
  keep(requested: string, character: Character): void
}

/** Keeps the characters of one connection in memory. A bearer token stands for the character until a join. */
export function rememberCharacters(bearer: string | undefined): Characters {
  const byName = new Map<string, Character>()
  let current = bearer
  let hasPlayed = false
  return {
    current: () => current,
    hasPlayed: () => hasPlayed,
    notePlay() {
      hasPlayed = true
    },
    find: (name) => byName.get(name.toLowerCase()) ?? (bearer === undefined ? undefined : { name, token: bearer }),
    keep(requested, character) {
      hasPlayed = true
      current = character.token
      byName.set(requested.toLowerCase(), character)
      byName.set(character.name.toLowerCase(), character)
    },
  }
}
