import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { grantEntitlements, toCupScope } from '../../src/payments/ledger/grants.ts'
import type { CupStandingTable } from '../../src/storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { alone, transact } from '../../src/storage/transact.ts'
import { isKnownRules, knownRules } from '../core/world.ts'
import { readCommands } from '../realms/load-realm.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { Claim, Verdict } from './verify-run.ts'

interface CloseOptions {
  readonly db: LedgerDatabase
  readonly gameDb: GameDatabase
  readonly now: () => number
}

/** A run as the log has it, with what the host wrote down when it ended. */
interface LoggedRun {
  readonly realm: string
  readonly owner: { key: string; name: string; kind: 'human' | 'agent' }
  readonly claim: Claim
  readonly finishedAt: number
}

async function readRuns(db: GameDatabase, cup: { id: string; commitment: string; closedAt: number }) {
  const rows = await db
    .selectFrom('realm')
    .innerJoin('seat', 'seat.realm', 'realm.id')
    .leftJoin('life', (join) => join.onRef('life.realm', '=', 'realm.id').onRef('life.player', '=', 'seat.player'))
    .select(['realm.id', 'realm.seed', 'realm.rules', 'seat.player', 'seat.account', 'seat.name', 'seat.kind'])
    .select(['life.hash', 'life.commands', 'life.at', 'life.cause', 'life.depth', 'life.turn', 'life.gold'])
    .select(['life.kills', 'life.score', 'life.has_won'])
    .where('realm.mode', '=', 'cup')
    .where('realm.event', '=', cup.id)
    .execute()
  return Promise.all(
    rows.map(async (row): Promise<LoggedRun> => {
      const commands = await readCommands(db, row.id, row.commands ?? undefined)
      const { account: key, name, kind, rules, seed, player, cause, depth, turn, gold, kills, score } = row
      const hasLife =
        cause !== null && depth !== null && turn !== null && gold !== null && kills !== null && score !== null
      return {
        realm: row.id,
        owner: { key, name, kind },
        finishedAt: row.at ?? cup.closedAt,
        claim: {
          rules,
          seed,
          name,
          player,
          commands,
          cup: { id: cup.id, commitment: cup.commitment },
          ...(row.hash !== null && { hash: row.hash }),
          ...(hasLife && { life: { name, kind, cause, depth, turn, gold, kills, score, hasWon: row.has_won === 1 } }),
        },
      }
    }),
  )
}

/** Lives every run again in a thread of its own, one after the other: players go on meanwhile. */
async function verifyAll(runs: readonly LoggedRun[]): Promise<Map<LoggedRun, Verdict>> {
  const verdicts = new Map<LoggedRun, Verdict>()
  const worker = new Worker(new URL('verify-worker.ts', import.meta.url))
  try {
    for (const run of runs) {
      worker.postMessage(run.claim)
      const [verdict]: Verdict[] = await once(worker, 'message')
      if (verdict) verdicts.set(run, verdict)
    }
  } finally {
    await worker.terminate()
  }
  return verdicts
}

/** For the winner: to be seen, and for nothing else. */
const prize = ['badge_cup', 'frame_legend']

type Ranked = [LoggedRun, Extract<Verdict, { is: 'verified' }>]

/** By score, then fewer turns, then who was done first. */
const inOrder = ([a, x]: Ranked, [b, y]: Ranked): number =>
  y.life.score - x.life.score || x.life.turn - y.life.turn || a.finishedAt - b.finishedAt

function toStandings(cup: number, verdicts: ReadonlyMap<LoggedRun, Verdict>): CupStandingTable[] {
  const shared = ({ realm, owner, claim, finishedAt }: LoggedRun) => ({
    cup,
    player_key: owner.key,
    name: owner.name,
    kind: owner.kind,
    realm,
    commands: claim.commands.length,
    finished_at: finishedAt,
  })
  const nothing = { place: null, result: null, hash: null, checkpoints: null }
  const all = [...verdicts]
  const ranked = all.flatMap(([run, verdict]): Ranked[] => (verdict.is === 'verified' ? [[run, verdict]] : []))
  return [
    ...ranked.sort(inOrder).map(([run, { life, hash, checkpoints }], index) => ({
      ...shared(run),
      place: index + 1,
      refusal: null,
      result: JSON.stringify(life),
      hash,
      checkpoints: JSON.stringify(checkpoints),
    })),
    ...all.flatMap(([run, verdict]) =>
      verdict.is === 'refused' ? [{ ...shared(run), ...nothing, refusal: verdict.why }] : [],
    ),
  ]
}

/**
 * Closes a cup: nobody runs any more, every run is lived again, and what is believed is ranked. Only then seed,
 * standings and runs are public. Done again it comes to the same, so that a host that died over it can begin anew.
 *
 * @throws Error when the cup was played by rules that are not known here: no run of it could be lived again
 */
export async function closeCup({ db, gameDb, now }: CloseOptions, number: number): Promise<void> {
  const id = toCupScope(number)
  const find = () => db.selectFrom('cup').selectAll().where('number', '=', number).executeTakeFirstOrThrow()
  const played = (await find()).rules
  if (!isKnownRules(played))
    throw new Error(
      `${id} was played by rules ${played} and this version knows rules ${knownRules.join(' and ')}; close it with one that does`,
    )
  await db
    .updateTable('cup')
    .set({ state: 'closed', closed_at: now() })
    .where('number', '=', number)
    .where('state', '=', 'open')
    .execute()
  const cup = await find()
  const closedAt = cup.closed_at ?? now()
  const verdicts = await verifyAll(await readRuns(gameDb, { id, commitment: cup.commitment, closedAt }))
  const standings = toStandings(number, verdicts)
  await transact(db, async (tx) => {
    await alone(tx, 'cup', id)
    await tx.deleteFrom('cup_standing').where('cup', '=', number).execute()
    for (const standing of standings) await tx.insertInto('cup_standing').values(standing).execute()
    const winner = standings.find(({ place }) => place === 1)
    if (winner)
      await grantEntitlements(tx, { key: winner.player_key, entitlements: prize, scope: id, source: 'prize' }, now())
    await tx.updateTable('cup').set({ verified_at: now() }).where('number', '=', number).execute()
  })
}
