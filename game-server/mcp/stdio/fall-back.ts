import type { Dungeon } from '../../protocol/dungeon.ts'
import { Unreachable } from './unreachable.ts'

/** The first dungeon while it can be reached; once the second one had to answer in its place, the second. */
export function fallBack(first: Dungeon, second: Dungeon): Dungeon {
  let isSecond = false

  async function ask<Answer>(act: (dungeon: Dungeon, wasAsked: boolean) => Promise<Answer>): Promise<Answer> {
    if (isSecond) return act(second, false)
    try {
      return await act(first, false)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      const answer = await act(second, error.wasAsked)
      isSecond = true
      return answer
    }
  }

  return {
    join: (request) => ask((dungeon) => dungeon.join(request)),
    look: (token, options) => ask((dungeon) => dungeon.look(token, options)),
    // A key that may have been pressed is not pressed again: how things stand is the answer.
    act: (token, key) => ask((dungeon, wasAsked) => (wasAsked ? dungeon.look(token) : dungeon.act(token, key))),
  }
}
