import type { Dungeon } from '../../host/dungeon.ts'
import { Unreachable } from './unreachable.ts'

/** The first dungeon while it can be reached; once the second one had to answer in its place, the second. */
export function fallBack(first: Dungeon, second: Dungeon): Dungeon {
  let isSecond = false

  async function ask<Answer>(act: (dungeon: Dungeon) => Promise<Answer>): Promise<Answer> {
    if (isSecond) return act(second)
    try {
      return await act(first)
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      const answer = await act(second)
      isSecond = true
      return answer
    }
  }

  return {
    join: (request) => ask((dungeon) => dungeon.join(request)),
    look: (token, options) => ask((dungeon) => dungeon.look(token, options)),
    act: (token, key) => ask((dungeon) => dungeon.act(token, key)),
  }
}
