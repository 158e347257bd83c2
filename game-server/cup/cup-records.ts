import type { Selectable } from 'kysely'
import { z } from 'zod'
import { findCupForEntries, toCupScope } from '../../src/payments/ledger/grants.ts'
import type { CupTable } from '../../src/storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { type Life, lifeSchema } from '../protocol/dungeon.ts'
import { maxKeys, maxRunMs, type RunFile } from '../protocol/run-file.ts'
import { readCommands } from '../realms/load-realm.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { readCupForEntries } from '../store/cup-for-entries.ts'
import { readCupNumber } from './cups.ts'

/** The public facts of a cup. */
export interface CupFacts {
  readonly id: string
  /** `verifying`: no run goes on, and the runs are being replayed. */
  readonly state: 'open' | 'verifying' | 'over'
  /** SHA-256 of the 32 bytes of the seed, published before any run. */
  readonly commitment: string
  /** Null until the cup is over. */
  readonly seed: string | null
  readonly rules: number
  readonly opensAt: string
  readonly closesAt: string
  readonly closedAt: string | null
  readonly limits: { readonly lives: number; readonly keys: number; readonly hours: number }
  readonly entries: number
  readonly runs: number
}

/** One place in the final ranking. */
export interface Standing extends Life {
  readonly place: number
  /** The id of the run's file, at `/api/cup-runs/:id`. */
  readonly run: string
  readonly hash: string
  readonly finishedAt: string
}

/** A cup with its results, which are null until it is over. */
export interface CupReport extends CupFacts {
  readonly standings: readonly Standing[] | null
  /** Runs that were refused, or whose log cannot be read, and why. */
  readonly refused: readonly { readonly name: string; readonly refusal: string }[] | null
}

const toTime = (ms: number): string => new Date(ms).toISOString()
const readLife = (json: string): Life => lifeSchema.parse(JSON.parse(json))

/** Reads the public records of cups. Until a cup is verified, its seed, runs and standings are secret. */
export function makeCupRecords({ db, gameDb, now }: { db: LedgerDatabase; gameDb: GameDatabase; now: () => number }) {
  const countEntries = async (cup: number): Promise<number> => {
    const { count } = await db
      .selectFrom('entitlement')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('scope', '=', toCupScope(cup))
      .where('entitlement', '=', 'agent_cup_entry')
      .executeTakeFirstOrThrow()
    return Number(count)
  }
  const countRuns = async (cup: number): Promise<number> => {
    const { count } = await db
      .selectFrom('cup_run')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('cup', '=', cup)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  const toFacts = async (cup: Selectable<CupTable>): Promise<CupFacts> => ({
    id: toCupScope(cup.number),
    state: cup.state === 'open' ? 'open' : cup.verified_at === null ? 'verifying' : 'over',
    commitment: cup.commitment,
    seed: cup.verified_at === null ? null : cup.seed,
    rules: cup.rules,
    opensAt: toTime(cup.opened_at),
    closesAt: toTime(cup.closes_at),
    closedAt: cup.closed_at === null ? null : toTime(cup.closed_at),
    limits: { lives: 1, keys: maxKeys, hours: maxRunMs / 3_600_000 },
    entries: await countEntries(cup.number),
    runs: await countRuns(cup.number),
  })

  const readStandings = async (cup: number): Promise<Pick<CupReport, 'standings' | 'refused'>> => {
    const rows = await db.selectFrom('cup_standing').selectAll().where('cup', '=', cup).orderBy('place').execute()
    return {
      standings: rows.flatMap(({ place, result, realm, hash, finished_at }) =>
        place === null || result === null || hash === null
          ? []
          : [{ place, ...readLife(result), run: realm, hash, finishedAt: toTime(finished_at) }],
      ),
      refused: rows.flatMap(({ name, refusal }) => (refusal === null ? [] : [{ name, refusal }])),
    }
  }

  return {
    /** All cups, the newest first, and the cup that a new entry counts for. */
    async list(): Promise<{ entriesCountFor: string; cups: CupFacts[] }> {
      const cups = await db.selectFrom('cup').selectAll().orderBy('number', 'desc').execute()
      return {
        entriesCountFor: toCupScope(await findCupForEntries(db, now())),
        cups: await Promise.all(cups.map(toFacts)),
      }
    },

    /** The cup that a new entry counts for, as buyers are told. */
    forEntries: () => readCupForEntries(db, now()),

    /** @param id such as `cup-3` */
    async find(id: string): Promise<CupReport | undefined> {
      const number = readCupNumber(id)
      if (number === undefined) return undefined
      const cup = await db.selectFrom('cup').selectAll().where('number', '=', number).executeTakeFirst()
      if (!cup) return undefined
      const report = cup.verified_at === null ? { standings: null, refused: null } : await readStandings(number)
      return { ...(await toFacts(cup)), ...report }
    },

    /** The file that proves a run; undefined until its cup is over, and for a run that was refused. */
    async findRun(realm: string): Promise<RunFile | undefined> {
      const found = await db
        .selectFrom('cup_standing')
        .innerJoin('cup', 'cup.number', 'cup_standing.cup')
        .selectAll('cup_standing')
        .select(['cup.seed', 'cup.rules', 'cup.commitment', 'cup.verified_at'])
        .where('realm', '=', realm)
        .executeTakeFirst()
      if (!found || found.verified_at === null || found.result === null || found.hash === null) return undefined
      const { cup, rules, seed, commitment, hash } = found
      return {
        cup: { id: toCupScope(cup), commitment },
        life: readLife(found.result),
        rules,
        seed,
        player: 1,
        hash,
        checkpoints: z.array(z.string()).parse(JSON.parse(found.checkpoints ?? '[]')),
        commands: await readCommands(gameDb, realm, found.commands),
      }
    },
  }
}

export type CupRecords = ReturnType<typeof makeCupRecords>
