import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { z } from 'zod'
import { toClientKey } from '../http/client-key.ts'
import { type OauthRecords, TooLarge } from './oauth-records.ts'
import type { RegisteredClients } from './registered-clients.ts'

interface Options {
  readonly records: OauthRecords
  readonly clients: RegisteredClients
  readonly now: () => number
}

/** What comes only of the operator's own yes; everything else is caused by whoever asks. */
const operatorsKinds: ReadonlySet<string> = new Set(['Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken'])

const payloadSchema = z.custom<AdapterPayload>((value) => typeof value === 'object' && value !== null)

/** A model that says nothing about its end lives no longer than the longest permission. */
const longestSeconds = 30 * 24 * 60 * 60

/** The authorization server's storage, as its library asks for it: one adapter for each of its models. */
export const makeAdapter =
  ({ records, clients, now }: Options) =>
  (kind: string): Adapter => {
    const read = (row: Awaited<ReturnType<OauthRecords['find']>>, id?: string): AdapterPayload | undefined =>
      row && {
        ...payloadSchema.parse(JSON.parse(row.payload)),
        // The name is kept as a hash; whoever found it by its name has it at hand.
        ...(id !== undefined && kind !== 'Client' && { jti: id }),
        ...(row.consumed_at !== null && { consumed: Math.floor(row.consumed_at / 1000) }),
      }

    return {
      async find(id) {
        return read(await records.find(kind, id), id)
      },
      async findByUid(uid) {
        return read(await records.findByUid(kind, uid))
      },
      // Belongs to flows that this server does not offer.
      async findByUserCode() {},
      async upsert(id, { jti: _name, ...payload }, expiresIn = longestSeconds) {
        const expiresAt = now() + expiresIn * 1000
        const household = toClientKey(Provider.ctx?.ip ?? '')
        const text = JSON.stringify(payload)
        if (kind === 'Client') {
          await refuseTooLarge(clients.keep(id, text, household))
          return
        }
        // Before the operator has agreed, a session is nobody's.
        const isOperators = operatorsKinds.has(kind) || (kind === 'Session' && payload.accountId !== undefined)
        const { grantId, uid } = payload
        const record = { payload: text, grantId, uid, expiresAt, ...(!isOperators && { household }) }
        await refuseTooLarge(records.keep(kind, id, record))
        if (kind === 'Grant' && payload.clientId !== undefined) await clients.permit(payload.clientId, id, expiresAt)
      },
      async consume(id) {
        if (await records.consume(kind, id)) return
        // Two requests showed it at once; the library looked at both before either had used it up.
        const row = read(await records.find(kind, id))
        // Whatever the quicker one is given hangs on the permission, and falls with it.
        if (row?.grantId !== undefined) await records.forget('Grant', row.grantId)
        throw new errors.InvalidGrant('already used')
      },
      destroy: (id) => records.forget(kind, id),
      revokeByGrantId: (grantId) => records.forgetGrant(kind, grantId),
    }
  }

async function refuseTooLarge(kept: Promise<void>): Promise<void> {
  try {
    await kept
  } catch (error) {
    if (error instanceof TooLarge) throw new errors.InvalidRequest('this is more than is remembered of a request')
    throw error
  }
}
