import { randomInt } from 'node:crypto'
import { playerNamePattern, toPlayerKey } from '../../src/core/player-name.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { withoutSync } from '../../src/storage/without-sync.ts'
import { newResumeToken, toTokenHash } from './resume-token.ts'

export interface Account {
  /** The name in lower case. */
  key: string
  name: string
  kind: 'human' | 'agent'
}

export interface JoinRequest {
  name: string
  kind: Account['kind']
  token?: string
  /** Whether the operator has reserved a name; it is not given out as a variant of another name either. */
  isKept?: (key: string) => boolean
}

/** `requested`: the name that was asked for, when the player has another one. */
export type Joined =
  | { is: 'joined'; account: Account; token: string; isResumed: boolean; requested?: string }
  | { is: 'wrong-name' }
  | { is: 'wrong-token' }

const maxNameLength = 24
/** Names with which a player could pose as the operator or the game. */
const ownNames = new Set(
  'admin administrator dungeon farthing game host mod moderator operator root server staff support system undercroft'.split(
    ' ',
  ),
)

/** Whether a player may have this name. */
export const isPlayerName = (name: string): boolean => playerNamePattern.test(name) && !ownNames.has(toPlayerKey(name))

/** Ada, Ada-2 to Ada-9, then Ada with a random number, so that many players with one name need few attempts. */
function toVariant(name: string, attempt: number): string {
  if (attempt === 1) return name
  const suffix = `-${attempt < 10 ? attempt : randomInt(10, 1_000_000)}`
  return name.slice(0, maxNameLength - suffix.length) + suffix
}

/** The accounts of players. A name belongs to the holder of its token. */
export function makeAccounts({ db, now }: { db: LedgerDatabase; now: () => number }) {
  const columns = ['key', 'name', 'kind'] as const

  const findByToken = (token: string): Promise<Account | undefined> =>
    db.selectFrom('player').select(columns).where('token_hash', '=', toTokenHash(token)).executeTakeFirst()

  /** Takes a free name. A bought name whose reservation has run out is free, and comes with what was bought for it. */
  const claim = async (name: string, kind: Account['kind'], token: string): Promise<Account | undefined> => {
    const key = toPlayerKey(name)
    const created = await db
      .insertInto('player')
      .values({ key, name, kind, token_hash: toTokenHash(token), created_at: now() })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ name, kind, token_hash: toTokenHash(token), reserved_until: null })
          .where('player.reserved_until', '<', now()),
      )
      // Not synced to disk: a power cut can only lose names of the last moment, and thousands may join at once.
      .modifyEnd(withoutSync)
      .executeTakeFirst()
    return created.numInsertedOrUpdatedRows === 1n ? { key, name, kind } : undefined
  }

  const resume = async ({ name, kind }: JoinRequest, token: string): Promise<Joined> => {
    const found = await findByToken(token)
    if (!found) return { is: 'wrong-token' }
    const bought = await db
      .updateTable('player')
      .set({ kind, reserved_until: null })
      .where('key', '=', found.key)
      .where('reserved_until', 'is not', null)
      .executeTakeFirst()
    const account = bought.numUpdatedRows === 1n ? { ...found, kind } : found
    const isOther = toPlayerKey(name) !== account.key
    return { is: 'joined', account, token, isResumed: true, ...(isOther && { requested: name }) }
  }

  return {
    /** Resumes the account of a token, or creates one; for a name that is taken the player gets a variant of it. */
    async join(request: JoinRequest): Promise<Joined> {
      if (request.token !== undefined) return resume(request, request.token)
      const { name, kind, isKept } = request
      if (!isPlayerName(name)) return { is: 'wrong-name' }
      const token = newResumeToken()
      for (let attempt = 1; ; attempt++) {
        const variant = toVariant(name, attempt)
        const account = isKept?.(toPlayerKey(variant)) ? undefined : await claim(variant, kind, token)
        if (!account) continue
        return { is: 'joined', account, token, isResumed: false, ...(attempt > 1 && { requested: name }) }
      }
    },

    findByToken,

    findByName: (name: string): Promise<Account | undefined> =>
      db.selectFrom('player').select(columns).where('key', '=', toPlayerKey(name)).executeTakeFirst(),
  }
}

export type Accounts = ReturnType<typeof makeAccounts>
