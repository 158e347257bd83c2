import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from '../core/problem.ts'
import type { NodeHandle, Route } from '../http/route.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { block, listBlocked, unblock } from '../operator/blocks.ts'
import { GameAway, type GameOrders } from '../operator/game-orders.ts'
import { readDoubtedSales, readNewestSales, readOpenPayments, readReversedSales } from '../operator/payment-states.ts'
import { findRefundCase, recordRefund } from '../operator/refunds.ts'
import { readSales } from '../operator/sales-report.ts'
import type { StorageUse } from '../operator/storage-use.ts'
import { readDateRange, writeTaxCsv } from '../operator/tax-csv.ts'
import type { ChangeWatch } from '../operator/watch-changes.ts'
import type { BlockList } from '../payments/block-list.ts'
import type { FindRefund } from '../payments/chain/find-refund.ts'
import type { ReceiptSigner } from '../payments/proof/receipt-signer.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { privateHeaders, sendDesk, sendOn } from './frame.ts'
import { toJobsPage } from './jobs-page.ts'
import type { Asked, OperatorDoor } from './operator-door.ts'
import { toPaymentsPage, toRefundPage } from './payments-page.ts'
import { toBlocksPage, toPlayersPage } from './people-pages.ts'
import { spans, toSalesPage } from './sales-page.ts'
import { makeStreamChanges } from './stream-changes.ts'

interface Options {
  readonly door: OperatorDoor
  readonly db: LedgerDatabase
  readonly jobs: Pick<Jobs, 'names' | 'run' | 'overview'>
  readonly storage: () => Promise<StorageUse>
  /** Everything that needs the operator's attention, a sentence each. */
  readonly findTroubles: () => Promise<readonly string[]>
  readonly findRefund: FindRefund
  readonly signer: ReceiptSigner
  readonly blocks: Pick<BlockList, 'changed'>
  readonly game: GameOrders
  readonly changes: ChangeWatch
  /** Writes the counts of price responses that this process still has in memory. */
  readonly writeQuotes: () => Promise<void>
  readonly now: () => number
  readonly report: (error: unknown) => void
  readonly signal: AbortSignal
}

const newestCount = 20

/** The routes of the operator's pages, their data and their forms, for signed-in browsers only. */
export function makeOperatorRoutes(options: Options): Route<NodeHandle>[] {
  const { door, db, jobs, storage, findTroubles, findRefund, signer, blocks, game, changes } = options
  const { writeQuotes, now, report, signal } = options
  const { page, data, act, isIn } = door

  async function showSales({ session, res, fields }: Asked): Promise<void> {
    const days = spans.find((span) => String(span) === fields.get('days')) ?? 30
    await writeQuotes()
    const mark = await changes.mark()
    const [troubles, sold, newest, open, doubted] = await Promise.all([
      findTroubles(),
      readSales(db, { days, now: now() }),
      readNewestSales(db, newestCount),
      readOpenPayments(db),
      readDoubtedSales(db),
    ])
    const { token } = session
    sendDesk(res, toSalesPage({ token, troubles, mark, days, report: sold, newest, open, doubted }))
  }

  async function showPayments({ session, res }: Asked): Promise<void> {
    const mark = await changes.mark()
    const [open, doubted, reversed, newest] = await Promise.all([
      readOpenPayments(db),
      readDoubtedSales(db),
      readReversedSales(db),
      readNewestSales(db, newestCount),
    ])
    sendDesk(res, toPaymentsPage({ token: session.token, mark, open, doubted, reversed, newest }))
  }

  async function showRefund({ session, res, name }: Asked, said?: string): Promise<void> {
    const found = await findRefundCase(db, name)
    if (!found) throw new Problem('not-found', { detail: 'There is no sale with this receipt' })
    sendDesk(res, toRefundPage(found, { token: session.token, signer, said }), {
      status: said === undefined ? 200 : 422,
    })
  }

  async function refund(asked: Asked): Promise<void> {
    const { name, fields, res } = asked
    const said = { receipt: name, transaction: fields.get('transaction') ?? '', note: fields.get('note') ?? '' }
    const outcome = await recordRefund({ db, findRefund, now }, said)
    if (outcome.is === 'recorded') sendOn(res, `/operator/refunds/${name}`)
    else await showRefund(asked, `Not recorded: ${outcome.reason}.`)
  }

  async function showJobs({ session, res, fields }: Asked): Promise<void> {
    const mark = await changes.mark()
    const [overview, use] = await Promise.all([jobs.overview(), storage()])
    const started = jobs.names.find((name) => name === fields.get('started'))
    const said = started === undefined ? undefined : `${started} was started; its row shows how it is going.`
    sendDesk(res, toJobsPage({ token: session.token, mark, jobs: overview, storage: use, said }))
  }

  function run({ res, name }: Asked): void {
    if (!jobs.names.includes(name)) throw new Problem('not-found', { detail: 'There is no such job' })
    // Not awaited, because it may take an hour: the row of the job shows its progress.
    void jobs.run(name).catch(report)
    sendOn(res, `/operator/jobs?started=${name}`)
  }

  async function showBlocks({ session, res }: Asked, said?: string): Promise<void> {
    const status = said === undefined ? 200 : 422
    sendDesk(res, toBlocksPage(await listBlocked(db), session.token, said), { status })
  }

  async function changeBlocks(asked: Asked, change: (who: string) => Promise<unknown>): Promise<void> {
    try {
      await change(asked.fields.get('who') ?? '')
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      await showBlocks(asked, `Nothing was changed: ${error.message}.`)
      return
    }
    await blocks.changed()
    sendOn(asked.res, '/operator/blocks')
  }

  async function showPlayers({ session, res }: Asked, said?: string): Promise<void> {
    const live = await game.live().catch((error: unknown) => {
      if (error instanceof GameAway) return error.message
      throw error
    })
    sendDesk(res, toPlayersPage({ token: session.token, live, said }))
  }

  async function order(asked: Asked): Promise<void> {
    const { fields, res } = asked
    const { token: _token, minutes, ...said } = Object.fromEntries(fields)
    try {
      await game.give({ ...said, ...(minutes !== undefined && { minutes: Number(minutes) }) })
    } catch (error) {
      if (!(error instanceof GameAway)) throw error
      await showPlayers(asked, `Nothing was done: ${error.message}.`)
      return
    }
    sendOn(res, '/operator/players')
  }

  async function sendCsv({ req, res, fields }: Asked): Promise<void> {
    const { from, to } = { from: fields.get('from') ?? undefined, to: fields.get('to') ?? undefined }
    const range = toRange(from, to, now())
    const name = `sales-${new Date(range.fromMs).toISOString().slice(0, 10)}-to-${new Date(range.toMs - 1).toISOString().slice(0, 10)}.csv`
    res.writeHead(200, {
      ...privateHeaders,
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}"`,
    })
    if (req.method === 'HEAD') res.end()
    else
      await pipeline(Readable.from(writeTaxCsv(db, range)), res, { signal }).catch((error: unknown) => {
        // Destroying the connection shows that the file is incomplete. A client that left is no error.
        if (!res.closed) report(error)
        res.destroy()
      })
  }

  const findRefundPage = ({ res, fields }: Asked): void =>
    sendOn(res, `/operator/refunds/${encodeURIComponent(fields.get('receipt')?.trim() ?? '')}`)

  const read = (path: Route['path'], handle: NodeHandle): Route<NodeHandle> => ({ path, handlers: { GET: handle } })
  return [
    ...door.routes,
    read('/operator', page(showSales)),
    read('/operator/payments', page(showPayments)),
    read('/operator/jobs', page(showJobs)),
    read('/operator/refund', page(findRefundPage)),
    read(
      '/operator/players',
      page((asked) => showPlayers(asked)),
    ),
    read('/operator/sales.csv', data(sendCsv)),
    read('/operator/events', data(makeStreamChanges({ changes, isIn, signal }))),
    { path: '/operator/refunds/:receipt', handlers: { GET: page((asked) => showRefund(asked)), POST: act(refund) } },
    { path: '/operator/jobs/:name', handlers: { POST: act(run) } },
    {
      path: '/operator/blocks',
      handlers: {
        GET: page((asked) => showBlocks(asked)),
        POST: act((asked) => changeBlocks(asked, (who) => block(db, who, asked.fields.get('reason') ?? '', now()))),
      },
    },
    { path: '/operator/unblock', handlers: { POST: act((asked) => changeBlocks(asked, (who) => unblock(db, who))) } },
    { path: '/operator/orders', handlers: { POST: act(order) } },
  ]
}

function toRange(from: string | undefined, to: string | undefined, now: number) {
  try {
    return readDateRange(from, to, now)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Problem('invalid-input', { errors: [{ pointer: '?from, ?to', detail: error.message }] })
  }
}
