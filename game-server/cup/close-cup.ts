import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { toLogText } from '../../src/core/log.ts'
import { grantEntitlements, toCupScope } from '../../src/payments/ledger/grants.ts'
import type { CupStandingTable } from '../../src/storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { alone, transact } from '../../src/storage/transact.ts'
import { isKnownRules, knownRules } from '../core/world.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { type LoggedRun, readRuns } from './read-runs.ts'
import { returnEntry } from './return-entry.ts'
import type { Judged, Verdict } from './verify-run.ts'

interface CloseOptions {
  readonly db: LedgerDatabase
  readonly gameDb: GameDatabase
  readonly now: () => number
  /** Called with each run whose log is damaged. */
  readonly report: (error: unknown) => void
}

/**
 * Replays every run in a worker thread, one after the other, so that players are not held up. A run that cannot be
 * judged is reported, and the others are judged all the same.
 */
async function judgeAll(runs: readonly LoggedRun[], report: CloseOptions['report']): Promise<Map<LoggedRun, Judged>> {
  const verdicts = new Map<LoggedRun, Judged>()
  const worker = new Worker(new URL('verify-worker.ts', import.meta.url))
  const judge = async ({ claim, damage }: LoggedRun): Promise<Judged | undefined> => {
    if (damage) return { is: 'unreadable', error: toLogText(damage) }
    worker.postMessage(claim)
    const [verdict]: Judged[] = await once(worker, 'message')
    return verdict
  }
  try {
    for (const run of runs) {
      const verdict = await judge(run)
      if (verdict?.is === 'unreadable')
        report(new Error(`the run of ${run.owner.name} in realm ${run.realm} cannot be judged: ${verdict.error}`))
      if (verdict) verdicts.set(run, verdict)
    }
  } finally {
    await worker.terminate()
  }
  return verdicts
}

/** The published reason for a run that cannot be judged. */
const unreadable = 'its log cannot be read, which is no fault of the player; the entry counts for the next cup'

/** The entitlements that the winner gets; both only change how the player is shown. */
const prize = ['badge_cup', 'frame_legend']

type Ranked = [LoggedRun, Extract<Verdict, { is: 'verified' }>]

/** Orders runs by higher score, then fewer turns, then earlier end. */
const inOrder = ([a, x]: Ranked, [b, y]: Ranked): number =>
  y.life.score - x.life.score || x.life.turn - y.life.turn || a.finishedAt - b.finishedAt

function toStandings(cup: number, verdicts: ReadonlyMap<LoggedRun, Judged>): CupStandingTable[] {
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
      verdict.is === 'verified'
        ? []
        : [{ ...shared(run), ...nothing, refusal: verdict.is === 'refused' ? verdict.why : unreadable }],
    ),
  ]
}

/**
 * Closes a cup: no run goes on, every run is replayed, and the verified ones are ranked. Only then are seed, standings
 * and runs public. It is idempotent, so that another host can repeat it if this one dies meanwhile. A player whose
 * run cannot be judged, because its log is damaged, gets an entry for the next cup.
 *
 * @throws Error when the cup was played under rules that this version does not know and so cannot replay
 */
export async function closeCup({ db, gameDb, now, report }: CloseOptions, number: number): Promise<void> {
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
  const verdicts = await judgeAll(await readRuns(gameDb, { id, commitment: cup.commitment, closedAt }), report)
  const standings = toStandings(number, verdicts)
  await transact(db, async (tx) => {
    await alone(tx, 'cup', id)
    // If another host closed it meanwhile, nothing is granted a second time.
    const { verified_at } = await tx
      .selectFrom('cup')
      .select('verified_at')
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
    if (verified_at !== null) return
    await tx.deleteFrom('cup_standing').where('cup', '=', number).execute()
    for (const standing of standings) await tx.insertInto('cup_standing').values(standing).execute()
    const winner = standings.find(({ place }) => place === 1)
    if (winner)
      await grantEntitlements(tx, { key: winner.player_key, entitlements: prize, scope: id, source: 'prize' }, now())
    for (const [{ owner }, verdict] of verdicts)
      if (verdict.is === 'unreadable') await returnEntry(tx, { key: owner.key, cup: id, at: now() })
    await tx.updateTable('cup').set({ verified_at: now() }).where('number', '=', number).execute()
  })
}
