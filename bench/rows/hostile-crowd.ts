import { buyBesideHostile } from '../../tests/support/hostile-crowd.ts'
import type { Row, Sample } from '../row.ts'
import { startOurSite } from '../start-our-site.ts'

const addresses = 50
const roundSeconds = 60
const wait = 'an honest purchase, p99'
const missed = 'honest purchases not served'

/** Whether an attack by many clients slows down honest buyers. */
export const hostileCrowd: Row = {
  title: 'Hostile crowd',
  meaning: `Honest buyers order a skill twice a second for ${roundSeconds} seconds, from the signature to the last byte, with what they have to wait when they are asked to come back. Beside them ${addresses} addresses, each once a second, send garbage for signatures, ask for long narrations and hang up, and pay from contract wallets that burn gas. Limits are on. Two rounds.`,
  measures: [
    { name: wait, unit: 'ms', digits: 0, limit: { is: 'at most', figure: 3000 } },
    { name: missed, unit: '', digits: 0, limit: { is: 'at most', figure: 0 } },
  ],
  goals: [],
  mostRounds: 2,
  async start(bench) {
    const { origin } = await startOurSite(bench, { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' })
    const site = {
      fetch: (path: string | URL | Request, init?: RequestInit) => fetch(`${origin}${String(path)}`, init),
    }
    return {
      ours: async (): Promise<Sample> => {
        const { statuses, waits } = await buyBesideHostile({
          site,
          money: bench.money,
          addresses,
          seconds: roundSeconds,
        })
        const sorted = waits.toSorted((a, b) => a - b)
        return {
          [wait]: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
          [missed]: statuses.filter((status) => status !== 200).length,
        }
      },
      peers: {},
    }
  },
}
