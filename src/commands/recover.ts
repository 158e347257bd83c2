// `npm run recover`: restores sales that the ledger lost, as far as the chain knows them.

import { parseArgs } from 'node:util'
import { toSaidText } from '../core/said-text.ts'
import { toUtcDate } from '../core/utc-date.ts'

const help = `npm run recover -- from-chain                 finds payments on the chain that the ledger does not have, and adds them
npm run recover -- from-chain --dry-run       lists those payments, and changes nothing
npm run recover -- from-chain --since DAY     looks at everything since this UTC day, such as 2026-11-22

Without --since it starts one day before the newest sale in the ledger, or 30 days ago if the ledger has no sale. The
shop may be running. Payments of the last minutes are left out as long as the chain may lose them: run it again half an
hour later. The chain does not show what was bought: a wallet that paid gets its product, without paying again, when it
makes the same request again. Money that was simply sent to your wallet, without a signed x402 payment, is not a
purchase and is left out.`

/**
 * Parses a UTC day. `Date.parse` would turn a day that does not exist into a later one, and payments before that would
 * be missed.
 */
function readDay(said: string): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(said) ? Date.parse(said) : Number.NaN
  if (Number.isNaN(at) || toUtcDate(at) !== said)
    throw new Error(`--since must be a day such as 2026-11-22, not ${said}`)
  if (at > Date.now()) throw new Error(`--since must not be in the future, as ${said} is`)
  return at
}

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      since: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) console.log(help)
  else if (positionals.join(' ') !== 'from-chain') throw new Error(`write from-chain after the command:\n\n${help}`)
  else {
    const since = values.since === undefined ? undefined : readDay(values.since)
    // Loaded on demand: it takes a second, which `--help` should not wait for.
    await (await import('./recover-lost-sales.ts')).recoverLostSales({ since, isDryRun: values['dry-run'] })
  }
} catch (error) {
  console.error(toSaidText(error))
  process.exitCode = 1
}
