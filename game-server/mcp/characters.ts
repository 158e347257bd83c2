/** Somebody whose life may be lived: the name the dungeon knows, and the token that proves it is ours. */
export interface Character {
  readonly name: string
  readonly token: string
}

/** Whom a caller plays, as far as its connection can tell. An argument `session` comes before all of this. */
export interface Characters {
  /** Token of whoever looks and acts when nothing else is said. */
  current(): string | undefined
  /** Whether the game has let somebody in here: a token that was only shown proves nothing. */
  hasPlayed(): boolean
  /** The game showed something to whoever asked. */
  notePlay(): void
  /** The character that joins when this name is asked for. */
  find(name: string): Character | undefined
  /** The name asked for may not be the name given: somebody else can have it. */
  keep(requested: string, character: Character): void
}

/** Characters of one connection, for as long as it lasts. A bearer token is the character until a name is joined. */
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
