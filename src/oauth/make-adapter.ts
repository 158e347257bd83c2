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

/** Models that exist only after the operator agreed; all others can be caused by strangers. */
const operatorsKinds: ReadonlySet<string> = new Set(['Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken'])

const payloadSchema = z.custom<AdapterPayload>((value) => typeof value === 'object' && value !== null)

/** Records without an expiry live as long as the longest permission. */
const longestSeconds = 30 * 24 * 60 * 60

/** The storage of the authorization server, as its library requires: one adapter for each model. */
export const makeAdapter =
  ({ records, clients, now }: Options) =>
  (kind: string): Adapter => {
    const read = (row: Awaited<ReturnType<OauthRecords['find']>>, id?: string): AdapterPayload | undefined =>
      row && {
        ...payloadSchema.parse(JSON.parse(row.payload)),
        // Only the hash of the id is stored, so it is added from the request.
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
      // The device flow, which this server does not offer.
      async findByUserCode() {},
      async upsert(id, { jti: _name, ...payload }, expiresIn = longestSeconds) {
        const expiresAt = now() + expiresIn * 1000
        const household = toClientKey(Provider.ctx?.ip ?? '')
        const text = JSON.stringify(payload)
        if (kind === 'Client') {
          await refuseTooLarge(clients.keep(id, text, household))
          return
        }
        // Before the operator has agreed, a session has no account.
        const isOperators = operatorsKinds.has(kind) || (kind === 'Session' && payload.accountId !== undefined)
        const { grantId, uid } = payload
        const record = { payload: text, grantId, uid, expiresAt, ...(!isOperators && { household }) }
        await refuseTooLarge(records.keep(kind, id, record))
        if (kind === 'Grant' && payload.clientId !== undefined) await clients.permit(payload.clientId, id, expiresAt)
      },
      async consume(id) {
        if (await records.consume(kind, id)) return
        // Two requests used it at the same time; the library read it for both before either had consumed it.
        const row = read(await records.find(kind, id))
        // Revokes the permission, and with it what the first request got.
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
