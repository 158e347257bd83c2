import { z } from 'zod'
import { makeTurns } from '../../core/make-turns.ts'
import type { Session } from './keep-session.ts'

const placesSchema = z.array(z.object({ place: z.string() }))
const lockOf = 'hashtextextended(place, 0)'

/**
 * Places that programs on one database take from each other: advisory locks of a session, so that whoever ends, or is cut
 * off, gives its places back without being asked. A session that was made anew takes those again that are in use; where
 * somebody else was quicker there are more in use than there should be, until one of them is done.
 */
export function makePlaces(session: Pick<Session, 'ask' | 'say'>) {
  const held = new Set<string>()
  // A session is given a lock that it has once more.
  const turns = makeTurns()

  const toPlaces = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => JSON.stringify(['place', name, at]))

  const letGo = (ask: Session['ask'], places: readonly string[]): void => {
    const text = `select pg_advisory_unlock(${lockOf}) from unnest($1::text[]) as place`
    // A session that breaks lets go of everything.
    ask(text, [places]).catch(() => {})
  }

  return {
    /**
     * @returns what gives the place back; undefined when none of them is free
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
    /** Takes along a new session what the one of before held. */
    async takeAgain(ask: Session['ask']): Promise<void> {
      const text = `select place from unnest($1::text[]) as place where pg_try_advisory_lock(${lockOf})`
      const again = placesSchema.parse(await ask(text, [[...held]])).map(({ place }) => place)
      const over = again.filter((place) => !held.has(place))
      if (over.length > 0) letGo(ask, over)
    },
  }
}
