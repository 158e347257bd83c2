import { legalKeys } from '../core/legal-keys.ts'
import { summarizeLife } from '../core/life.ts'
import type { GameEvent } from '../core/step.ts'
import type { Refusal } from '../protocol/dungeon.ts'
import type { LogKeeper } from '../realms/log-keeper.ts'
import type { Session } from '../realms/realm.ts'
import type { Realms } from '../realms/realms.ts'
import type { EndLife } from './end-life.ts'
import { toDepthRewards } from './rewards.ts'
import { tellViewers } from './tell-viewers.ts'

/** After so many inputs in a row that took no game time, a player gets a hint with the keys that do. */
const freeInputsBeforeHint = 25
/** A player who was too fast waits until so many keys are allowed: waiting for one would mean a refusal per key. */
const keysAfterWait = 5
/** How many further inputs a key costs that walks, rests or explores for several turns at once. */
const macroCost = 4

export type Pressed = { readonly is: 'pressed' } | Refusal

interface Options {
  readonly realms: Realms
  readonly keeper: LogKeeper
  readonly endLife: EndLife
  readonly now: () => number
}

/** Counts a key of a session; returns 0, or how many milliseconds to wait before the next keys. */
export const takeKey = ({ inputs }: Session): number => (inputs.take() > 0 ? inputs.wait(keysAfterWait) : 0)

/** The keys that have an effect now. */
const keysNow = (session: Session): string[] => legalKeys(session.realm.world, session.player).map(({ key }) => key)

export const refuse = (code: Refusal['code'], message: string, more: Partial<Refusal> = {}): Refusal => ({
  is: 'refused',
  code,
  message,
  ...more,
})

/** The refusal when another host has the realm; a player who joins again is led there. */
export const movedAway = (): Refusal =>
  refuse('server_full', 'this life has moved to another host; join again', { retryAfterMs: 500 })

/** The refusal while the host stops. */
export const closing = (): Refusal => refuse('server_full', 'the game host is restarting; try again in a moment')

const dead = () => refuse('dead', 'this character is dead; join again to start a new life')

/** Presses one key of a session: the only way in which anybody acts. `key` is what `readKey` made of `text`. */
export function makePressKey({ realms, keeper, endLife, now }: Options) {
  function countFree(session: Session, spent: number, events: GameEvent[]): void {
    session.freeInputs = spent > 0 ? 0 : session.freeInputs + 1
    if (session.freeInputs === 0 || session.freeInputs % freeInputsBeforeHint !== 0) return
    const text = `${session.freeInputs} keys, and no time has passed. These keys take time: ${keysNow(session).join(' ')}`
    events.push({ to: session.player, kind: 'hint', text, depth: 0, cell: 0 })
  }

  function isOutOfTime({ limits, keys }: Session): boolean {
    return limits !== undefined && (keys >= limits.keys || now() >= limits.at)
  }

  return (session: Session, key: string | undefined, text: string): Pressed => {
    const retryAfterMs = takeKey(session)
    if (retryAfterMs > 0) return refuse('rate_limited', 'too many keys at once; wait a moment', { retryAfterMs })
    if (session.isOver) return dead()
    if (key === undefined)
      return refuse('bad_key', `there is no key ${JSON.stringify(text.slice(0, 20))}`, { keys: keysNow(session) })
    session.lastAt = now()
    if (isOutOfTime(session)) {
      session.death = endLife(session, 'ran out of time')
      return dead()
    }

    const { realm, player } = session
    const events: GameEvent[] = []
    if (!session.isHere) {
      session.isHere = true
      realms.advance(realm, { is: 'return', player }, events)
    }
    const result = realms.advance(realm, { is: 'key', player, key }, events)
    if (!result.ok) return result.error === 'bad-key' ? refuse('bad_key', `there is no key ${key}`) : dead()
    session.keys++
    if (result.spent > 1) session.inputs.take(macroCost)
    countFree(session, result.spent, events)

    const life = summarizeLife(realm.world, player)
    if (life.depth > session.deepest) {
      realm.unwritten.rewards.push(...toDepthRewards(session, session.deepest, life.depth))
      session.deepest = life.depth
      keeper.remember(realm)
    }
    tellViewers(session, events)
    if (life.isOver) session.death = endLife(session)
    return { is: 'pressed' }
  }
}
