import { toPlayerKey } from '../../src/core/player-name.ts'
import { Problem } from '../../src/core/problem.ts'
import { readQuery } from '../../src/http/read-query.ts'
import type { Handle } from '../../src/http/route.ts'
import { playerQuery } from '../protocol/queries.ts'
import { answerJson } from './answer-json.ts'
import type { Holdings } from './redeem.ts'

/** `GET /api/store/entitlements`: what a player owns, for anybody; the credits and the frame only with the token. */
export function makeShowEntitlements({ accounts, credits, entitlements }: Holdings): Handle {
  const findReader = async (request: Request) => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (token === undefined) return undefined
    const reader = await accounts.findByToken(token)
    if (!reader) throw new Problem('wrong-token')
    return reader
  }

  return async (request) => {
    const read = readQuery(playerQuery, new URL(request.url).searchParams)
    if (read.is === 'refused') throw new Problem('invalid-input', { errors: read.errors })
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
