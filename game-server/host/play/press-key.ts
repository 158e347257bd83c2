import { legalKeys } from '../../core/legal-keys.ts'
import { summarizeLife } from '../../core/life.ts'
import { readKey } from '../../core/read-key.ts'
import type { GameEvent } from '../../core/step.ts'
import type { Refusal } from '../dungeon.ts'
import type { LogKeeper } from '../realms/log-keeper.ts'
import type { Seat } from '../realms/realm.ts'
import type { Realms } from '../realms/realms.ts'
import type { EndLife } from './end-life.ts'
import { toDepthRewards } from './rewards.ts'
import { spread } from './wake.ts'

/** After so many inputs in a row that took no time, a player is told how to get on. */
const freeInputsBeforeHint = 25
/** What a key costs on top that walks, rests or explores for many turns at once. */
const macroCost = 4

export type Pressed = { readonly is: 'pressed' } | Refusal

interface Options {
  readonly realms: Realms
  readonly keeper: LogKeeper
  readonly endLife: EndLife
  readonly now: () => number
}

/** The keys that do something now. */
const keysNow = (seat: Seat): string[] => legalKeys(seat.realm.world, seat.player).map(({ key }) => key)

export const refuse = (code: Refusal['code'], message: string, more: Partial<Refusal> = {}): Refusal => ({
  is: 'refused',
  code,
  message,
  ...more,
})

const dead = () => refuse('dead', 'this character is dead; join again to start a new life')

/** Presses one key of a seat: the only way in which anybody acts. */
export function makePressKey({ realms, keeper, endLife, now }: Options) {
  function countFree(seat: Seat, spent: number, events: GameEvent[]): void {
    seat.freeInputs = spent > 0 ? 0 : seat.freeInputs + 1
    if (seat.freeInputs === 0 || seat.freeInputs % freeInputsBeforeHint !== 0) return
    const text = `${seat.freeInputs} keys and not a moment has passed. These take time: ${keysNow(seat).join(' ')}`
    events.push({ to: seat.player, kind: 'hint', text, depth: 0, cell: 0 })
  }

  function isOutOfTime({ limits, keys }: Seat): boolean {
    return limits !== undefined && (keys >= limits.keys || now() >= limits.at)
  }

  return (seat: Seat, text: string): Pressed => {
    if (seat.isOver) return dead()
    const retryAfterMs = seat.inputs.take()
    if (retryAfterMs > 0) return refuse('rate_limited', 'too many keys at once; wait a moment', { retryAfterMs })
    const key = readKey(text)
    if (key === undefined)
      return refuse('bad_key', `there is no key ${JSON.stringify(text.slice(0, 20))}`, { keys: keysNow(seat) })
    seat.lastAt = now()
    if (isOutOfTime(seat)) {
      seat.death = endLife(seat, 'ran out of time')
      return dead()
    }

    const { realm, player } = seat
    const events: GameEvent[] = []
    if (!seat.isHere) {
      seat.isHere = true
      realms.advance(realm, { is: 'return', player }, events)
    }
    const result = realms.advance(realm, { is: 'key', player, key }, events)
    if (!result.ok) return result.error === 'bad-key' ? refuse('bad_key', `there is no key ${key}`) : dead()
    seat.keys++
    if (result.spent > 1) seat.inputs.take(macroCost)
    countFree(seat, result.spent, events)

    const life = summarizeLife(realm.world, player)
    if (life.depth > seat.deepest) {
      realm.unwritten.rewards.push(...toDepthRewards(seat, seat.deepest, life.depth))
      seat.deepest = life.depth
      keeper.remember(realm)
    }
    spread(seat, events)
    if (life.isOver) seat.death = endLife(seat)
    return { is: 'pressed' }
  }
}
