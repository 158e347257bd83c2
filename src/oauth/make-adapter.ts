import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { z } from 'zod'
import type { OauthRecords } from './oauth-records.ts'
import type { RegisteredClients } from './registered-clients.ts'

interface Options {
  readonly records: OauthRecords
  readonly clients: RegisteredClients
  readonly now: () => number
}

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
        if (kind === 'Client') {
          await clients.keep(id, JSON.stringify(payload), Provider.ctx?.ip ?? '')
          return
        }
        await records.keep(kind, id, {
          payload: JSON.stringify(payload),
          grantId: payload.grantId,
          uid: payload.uid,
          expiresAt,
        })
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
