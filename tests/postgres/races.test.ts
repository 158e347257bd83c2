import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Outrun } from '../../src/payments/ledger/lease.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { transact } from '../../src/storage/transact.ts'
import { figure } from '../support/figures.ts'
import { ledgerOf, nextSale, openTwoPrograms, rounds, type TwoPrograms, turns } from '../support/two-programs.ts'

let programs: TwoPrograms
let pair: TwoPrograms['pair']
let together: TwoPrograms['together']
beforeAll(async () => {
  programs = await openTwoPrograms()
  ;({ pair, together } = programs)
})
afterAll(() => programs.close())

describe('two programs at one PostgreSQL', () => {
  it('claim one authorization once', async () => {
    for (let round = 0; round < rounds; round++) {
      const { claim } = nextSale()
      const leases = await together(4, (db, turn) => ledgerOf(db, `owner ${turn}`).claim(claim))
      expect(leases.filter(Boolean)).toHaveLength(1)
    }
  })

  it('settle only one of several payments of a wallet for the same bytes', async () => {
    for (let round = 0; round < rounds; round++) {
      const wishes = turns(3).map(() => nextSale({ fingerprint: `lasting ${round}` }))
      const outcomes = await together(3, async (db, turn) => {
        const ledger = ledgerOf(db, `owner ${turn}`)
        const { claim } = wishes[turn] ?? nextSale()
        const { product } = wishes[0] ?? nextSale()
        const lease = await ledger.claim(claim)
        if (!lease) throw new Error('somebody else has it')
        return ledger.keepForSettlement(lease, product, 1, { isLasting: true }).then(
          () => 'settles',
          (error: unknown) => (error instanceof Outrun ? 'outrun' : Promise.reject(error)),
        )
      })
      expect(outcomes.toSorted()).toEqual(['outrun', 'outrun', 'settles'])
    }
  })

  it('settle only one of several products of a wallet that were unpaid', async () => {
    for (let round = 0; round < rounds; round++) {
      const { product } = nextSale()
      const leases = []
      for (const turn of turns(2)) {
        const { claim } = nextSale({ fingerprint: `waiting ${round}`, caller: `caller ${round}-${turn}` })
        const ledger = ledgerOf(pair[turn === 0 ? 0 : 1], `owner ${turn}`)
        const lease = await ledger.claim(claim)
        if (!lease) throw new Error('somebody else has it')
        leases.push({ ledger, lease, claim })
      }
      // A wallet has at most one unpaid product. Here two were stored while both were being worked on.
      for (const { lease, claim } of leases)
        await pair[0]
          .updateTable('payment')
          .set({ state: 'ready', body: product.body, body_bytes: 1, digest: 'same' })
          .where('key', '=', claim.key)
          .where('fence', '=', lease.fence)
          .execute()
      const begun = await Promise.all(
        leases.map(({ ledger, lease }) =>
          ledger.beginSettling(lease, { isLasting: true }).then(
            () => 'settles',
            (error: unknown) => (error instanceof Outrun ? 'outrun' : Promise.reject(error)),
          ),
        ),
      )
      expect(begun.toSorted()).toEqual(['outrun', 'settles'])
    }
  })

  it('count every one of many simultaneous sales', async () => {
    const before = await pair[0].selectFrom('sale_total').selectAll().execute()
    const count = figure(400, 4000)
    await together(count, async (db, turn) => {
      const ledger = ledgerOf(db, `owner ${turn}`)
      const { claim, product, transaction } = nextSale({ offer_id: `offer-${turn % 3}` })
      const lease = await ledger.claim(claim)
      if (!lease) throw new Error('somebody else has it')
      await ledger.keepForSettlement(lease, product, 1)
      await ledger.recordSale(lease, { transaction, logIndex: 1, block: 1 })
    })
    const totals = await pair[1].selectFrom('sale_total').selectAll().execute()
    const ever = totals.filter(({ day }) => day === '')
    const sum = (of: 'count' | 'micros'): number => ever.reduce((all, one) => all + one[of], 0)
    expect([before.length, sum('count'), sum('micros')]).toEqual([0, count, count * 100_000])
  })

  it('accept only one proof for a purchase that the ledger had lost', async () => {
    for (let round = 0; round < rounds; round++) {
      const { claim, transaction } = nextSale()
      await ledgerOf(pair[0], 'o').recoverSale(claim, { transaction, logIndex: 1, block: 1 })
      const row = await ledgerOf(pair[0], 'o').find(claim.key)
      if (!row) throw new Error('there is no sale')
      const proofs = await together(4, (db) => {
        const { claim: proof } = nextSale({ identifier_hash: null })
        return ledgerOf(db, 'o').keepProof(proof, row)
      })
      expect(proofs.filter(Boolean)).toHaveLength(1)
    }
  })

  it('give two entries that one player has paid for to two cups', async () => {
    for (let round = 0; round < rounds; round++) {
      const grants = JSON.stringify({
        player: `Runner-${round}`,
        tokenHash: `token ${round}`,
        entitlements: ['agent_cup_entry'],
        isCupEntry: true,
      })
      await together(2, async (db, turn) => {
        const ledger = ledgerOf(db, `owner ${turn}`)
        const { claim, product, transaction } = nextSale()
        const lease = await ledger.claim(claim)
        if (!lease) throw new Error('somebody else has it')
        await ledger.keepForSettlement(lease, { ...product, grants }, 1)
        await ledger.recordSale(lease, { transaction })
      })
      const held = await pair[0]
        .selectFrom('entitlement')
        .select('scope')
        .where('player_key', '=', `runner-${round}`)
        .execute()
      expect(held.map(({ scope }) => scope).toSorted()).toEqual(['cup-1', 'cup-2'])
    }
  })

  it('both finish when they block each other', async () => {
    const keys = ['first', 'second']
    const count = (db: LedgerDatabase, offer_id: string) =>
      db
        .updateTable('quote_total')
        .set(({ eb }) => ({ count: eb('count', '+', 1) }))
        .where('offer_id', '=', offer_id)
        .execute()
    for (const offer_id of keys)
      await pair[0].insertInto('quote_total').values({ day: 'd', offer_id, count: 0 }).execute()
    const met = Promise.withResolvers<void>()
    let arrived = 0
    await together(2, (db, turn) =>
      transact(db, async (tx) => {
        const [one = '', other = ''] = turn === 0 ? keys : keys.toReversed()
        await count(tx, one)
        if (++arrived === 2) met.resolve()
        await met.promise
        await count(tx, other)
      }),
    )
    const rows = await pair[1].selectFrom('quote_total').select('count').execute()
    expect(rows).toEqual([{ count: 2 }, { count: 2 }])
    // A transaction was rolled back because of the deadlock, and ran again; on a busy machine that meets the other again.
    expect(arrived).toBeGreaterThanOrEqual(3)
  })

  it('announce a sale once that both have seen on the chain', async () => {
    await pair[0]
      .insertInto('webhook_receiver')
      .values({ id: 1, since: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    for (let round = 0; round < rounds; round++) {
      const { claim, product, transaction } = nextSale()
      const ledger = ledgerOf(pair[0], 'o')
      const lease = await ledger.claim(claim)
      if (!lease) throw new Error('somebody else has it')
      await ledger.keepForSettlement(lease, product, 1)
      const { receipt } = await ledger.recordSale(lease, { transaction })
      const open = await Promise.all(pair.map((db) => ledgerOf(db, 'o').openSales(claim.network, 5000)))
      await together(4, async (db, turn) => {
        const sale = open[turn % 2]?.find(({ row }) => row.key === claim.key)
        if (!sale) throw new Error('there is no such sale')
        await ledgerOf(db, 'o').confirmSale(sale, { transaction, logIndex: 1, block: 1 }, 'final')
      })
      const told = pair[0].selectFrom('webhook_message').select('type').where('body', 'like', `%${receipt.id}%`)
      const types = (await told.where('channel', '=', 'webhook').execute()).map(({ type }) => type)
      expect(types.toSorted()).toEqual(['payment.doubted', 'payment.settled'])
    }
  })
})
