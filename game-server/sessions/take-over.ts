import { type Log, toLogText } from '../../src/core/log.ts'
import { repeat } from '../hosts/repeat.ts'
import type { Realm } from '../realms/realm.ts'
import type { Realms } from '../realms/realms.ts'

const everyMs = 500

interface Options {
  readonly realms: Pick<Realms, 'takeOver'>
  readonly payWhatIsOwed: (recovered: readonly Realm[]) => Promise<void>
  readonly log: Log
}

/** Goes on with what hosts leave that die, whether or not their players come back. */
export const takeOver = ({ realms, payWhatIsOwed, log }: Options): { stop(): Promise<void> } =>
  repeat(
    everyMs,
    async () => {
      const taken = await realms.takeOver()
      if (taken.length > 0) await payWhatIsOwed(taken)
    },
    (error) => log('server.error', { error: toLogText(error) }),
  )
