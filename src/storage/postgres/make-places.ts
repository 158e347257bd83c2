import { z } from 'zod'
import { makeTurns } from '../../core/make-turns.ts'
import type { Session } from './keep-session.ts'

const placesSchema = z.array(z.object({ place: z.string() }))
const lockOf = 'hashtextextended(place, 0)'

/**
 * A limited number of places, shared by all programs on one database. They are advisory locks of a session, so that a
 * program that ends or is cut off gives its places back by itself. A reopened session takes the places again that are
 * still in use; where another program was quicker, more are in use than there should be, until one of them is done.
 */
export function makePlaces(session: Pick<Session, 'ask' | 'say'>) {
  const held = new Set<string>()
  // The server grants a session a lock that it already holds once more, so two calls must not run at once.
  const turns = makeTurns()

  const toPlaces = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => JSON.stringify(['place', name, at]))

  const letGo = (ask: Session['ask'], places: readonly string[]): void => {
    const text = `select pg_advisory_unlock(${lockOf}) from unnest($1::text[]) as place`
    // No retry is needed: a session that breaks releases all its locks.
    ask(text, [places]).catch(() => {})
  }

  return {
    /**
     * @returns a function that gives the place back; undefined when no place is free
     * @throws AnswerLost when the database cannot be asked
     */
    take: (name: string, count: number): Promise<(() => void) | undefined> =>
      turns.take(name, async () => {
        const free = toPlaces(name, count).filter((place) => !held.has(place))
        const text = `select place from unnest($1::text[]) as place where pg_try_advisory_lock(${lockOf}) limit 1`
        const [row] = free.length > 0 ? placesSchema.parse(await session.ask(text, [free])) : []
        if (!row) return undefined
        const { place } = row
        held.add(place)
        return () => {
          if (held.delete(place)) letGo(session.say, [place])
        }
      }),
    /** Takes the places that the former session held again in a new session. */
    async takeAgain(ask: Session['ask']): Promise<void> {
      const text = `select place from unnest($1::text[]) as place where pg_try_advisory_lock(${lockOf})`
      const again = placesSchema.parse(await ask(text, [[...held]])).map(({ place }) => place)
      const over = again.filter((place) => !held.has(place))
      if (over.length > 0) letGo(ask, over)
    },
  }
}
