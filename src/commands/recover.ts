// `npm run recover`: writes sales back that the ledger lost, as far as others still know them.

import { parseArgs } from 'node:util'
import { toSaidText } from '../core/said-text.ts'
import { toUtcDate } from '../core/utc-date.ts'

const help = `npm run recover -- from-chain                 writes back every payment that the chain shows and the ledger does not know
npm run recover -- from-chain --dry-run       lists them, and changes nothing
npm run recover -- from-chain --since DAY     looks back to this UTC day, such as 2026-11-22

Without --since it looks back to a day before the newest sale that the ledger knows, and 30 days in an empty one. The
shop may run meanwhile. What was bought is not known from the chain: a wallet that paid gets it for nothing when it
asks for it again. Money that was sent to your wallet without an authorization is no purchase, and is left out.`

/** A day that no month has would be a later one, and what was paid before it would stay lost. */
function readDay(said: string): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(said) ? Date.parse(said) : Number.NaN
  if (Number.isNaN(at) || toUtcDate(at) !== said)
    throw new Error(`--since is a day such as 2026-11-22, and not ${said}`)
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
  else if (positionals.join(' ') !== 'from-chain') throw new Error(`say what to recover from:\n\n${help}`)
  else {
    const since = values.since === undefined ? undefined : readDay(values.since)
    // What reads the chain takes a second to load, which nobody waits for who only asks.
    await (await import('./recover-lost-sales.ts')).recoverLostSales({ since, isDryRun: values['dry-run'] })
  }
} catch (error) {
  console.error(toSaidText(error))
  process.exitCode = 1
}
