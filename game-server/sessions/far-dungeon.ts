import { z } from 'zod'
import type { HostOrder } from '../hosts/host-order.ts'
import type { Elsewhere } from '../hosts/hosts.ts'
import type { Peers } from '../hosts/peers.ts'
import type { Dungeon, Joined, Refusal, Seen } from '../protocol/dungeon.ts'

const hasKind =
  (...kinds: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && 'is' in value && kinds.includes(String(value.is))

/** The other host is taken to run the same version, so that the kind of the answer implies its other fields. */
const joined = z.custom<Joined | Refusal | Elsewhere>(hasKind('seen', 'refused', 'elsewhere'))
const seen = z.custom<Seen | Refusal | Elsewhere>(hasKind('seen', 'refused', 'elsewhere'))

/** The game of another host; each call throws when that host does not answer. */
export const makeFarDungeon =
  (peers: Pick<Peers, 'ask'>) =>
  (address: string): Dungeon<Elsewhere> => {
    const ask = (order: HostOrder): Promise<unknown> => peers.ask(address, order)
    return {
      join: async (request) => joined.parse(await ask({ order: 'join', request })),
      look: async (token, options) => seen.parse(await ask({ order: 'look', token, ...options })),
      act: async (token, key) => seen.parse(await ask({ order: 'act', token, key })),
    }
  }
