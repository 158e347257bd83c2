import { setImmediate } from 'node:timers'
import { Kysely, type Transaction } from 'kysely'

/** The most transactions in a group: nothing else is done by the program while it runs, for a dozen milliseconds. */
const mostTogether = 16

type Work<Schema, Result> = (tx: Transaction<Schema>) => Promise<Result>

/** A transaction that somebody waits for. */
interface Member<Schema> {
  /** Does its work beside that of others; the result tells its caller, once all is committed. */
  readonly runIn: Work<Schema, () => void>
  /** Does its work in a transaction of its own and tells its caller how that ended. Never rejects. */
  readonly runAlone: () => Promise<void>
  /** Tells its caller that the work was not begun. */
  readonly fail: (error: unknown) => void
}

/**
 * A database with one writer, whose transactions share commits, and so waits for the disk: those that are asked for in
 * one turn of the event loop become one, up to 16. A caller learns the result when it is durable. If anything in such a
 * group fails, or its commit does, it is rolled back and each runs by itself, so that nobody gets the error of another.
 * Where no transaction can be begun, because another process writes for too long, all get that error.
 */
export class GroupCommitDatabase<Schema> extends Kysely<Schema> {
  readonly #waiting: Member<Schema>[] = []

  /** Runs `work` as a transaction. It may run twice, so it must have no effect outside the database. */
  transactInGroup<Result>(work: Work<Schema, Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        runIn: async (tx) => {
          const result = await work(tx)
          return () => resolve(result)
        },
        runAlone: () => this.transaction().execute(work).then(resolve, reject),
        fail: reject,
      })
      if (this.#waiting.length === 1) this.#commitSoon()
    })
  }

  #commitSoon(): void {
    setImmediate(() => void this.#commit())
  }

  async #commit(): Promise<void> {
    const group = this.#waiting.splice(0, mostTogether)
    if (this.#waiting.length > 0) this.#commitSoon()
    if (group.length > 1 && (await this.#commitTogether(group))) return
    for (const { runAlone } of group) await runAlone()
  }

  /** Whether all callers know how it ended; otherwise nothing is written, and each is to run alone. */
  async #commitTogether(group: readonly Member<Schema>[]): Promise<boolean> {
    const callers: (() => void)[] = []
    let isBegun = false
    try {
      await this.transaction().execute(async (tx) => {
        isBegun = true
        for (const { runIn } of group) callers.push(await runIn(tx))
      })
    } catch (error) {
      // Whose error it is shows when each runs alone.
      if (isBegun) return false
      for (const { fail } of group) fail(error)
      return true
    }
    for (const tell of callers) tell()
    return true
  }
}
