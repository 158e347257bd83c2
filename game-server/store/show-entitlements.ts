import { z } from 'zod'
import { playerNamePattern, toPlayerKey } from '../../src/core/player-name.ts'
import { Problem } from '../../src/core/problem.ts'
import type { Handle } from '../../src/http/route.ts'
import { readInput } from '../../src/payments/read-input.ts'
import { answerJson } from './answer-json.ts'
import type { Holdings } from './redeem.ts'

const query = {
  method: 'GET',
  maxBodyBytes: 0,
  input: z.object({
    player: z.string('is needed: the name of a player').regex(playerNamePattern, 'is not how a player can be called'),
  }),
} as const

/** `GET /api/store/entitlements`: what a player holds, for anybody; the balance only for the player. */
export function makeShowEntitlements({ accounts, credits, entitlements }: Holdings): Handle {
  const findReader = async (request: Request) => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (token === undefined) return undefined
    const reader = await accounts.findByToken(token)
    if (!reader) throw new Problem('wrong-token')
    return reader
  }

  return async (request) => {
    const read = await readInput(query, request)
    if (read.is === 'refused') throw new Problem(read.kind, { errors: read.errors })
    const reader = await findReader(request)
    const account = await accounts.findByName(read.value.player)
    const key = account?.key ?? toPlayerKey(read.value.player)
    const { activeFrame, ...held } = await entitlements.of(key)
    return answerJson({
      player: account?.name ?? read.value.player,
      exists: account !== undefined,
      ...held,
      ...(reader?.key === key && { credits: await credits.balance(key), activeFrame }),
    })
  }
}
