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
  /** Whether the operator keeps a name, so that nobody is called so for want of another. */
  isKept?: (key: string) => boolean
}

/** `requested`: the name that was asked for and is another's. */
export type Joined =
  | { is: 'joined'; account: Account; token: string; isResumed: boolean; requested?: string }
  | { is: 'wrong-name' }
  | { is: 'wrong-token' }

const maxNameLength = 24
/** Names that would speak for the operator. */
const ownNames = new Set(
  'admin administrator dungeon farthing game host mod moderator operator root server staff support system undercroft'.split(
    ' ',
  ),
)

/** Whether a stranger may be called so. */
export const isPlayerName = (name: string): boolean => playerNamePattern.test(name) && !ownNames.has(toPlayerKey(name))

/** Ada, Ada-2 to Ada-9, then Ada with a number nobody guesses, so that a crowd of one name finds room at once. */
function toVariant(name: string, attempt: number): string {
  if (attempt === 1) return name
  const suffix = `-${attempt < 10 ? attempt : randomInt(10, 1_000_000)}`
  return name.slice(0, maxNameLength - suffix.length) + suffix
}

/** Who plays under which name. A name belongs to its token; nobody else can take it. */
export function makeAccounts({ db, now }: { db: LedgerDatabase; now: () => number }) {
  const columns = ['key', 'name', 'kind'] as const

  const findByToken = (token: string): Promise<Account | undefined> =>
    db.selectFrom('player').select(columns).where('token_hash', '=', toTokenHash(token)).executeTakeFirst()

  /** A bought name that nobody came for is free again, with what was bought for it. */
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
      // Whoever loses a name in a power cut has had it for a moment; thousands may come at once.
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
    /** Play is never refused for a name that is taken: without its token the player gets another one. */
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
