import { canonicalJson } from '../core/canonical-json.ts'
import { type Charged, Problem } from '../core/problem.ts'
import type { Witness } from './chain/witness.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { PaymentRow } from './ledger/payment-row.ts'
import type { PurchaseRequest } from './purchase/outcome.ts'
import type { Rails } from './rails.ts'
import type { Input } from './read-input.ts'
import { toExpected } from './settlement/settle-payment.ts'

type Refused = Extract<Input, { is: 'refused' }>

/** The payment and the address that came with refused input. */
type Sent = Pick<PurchaseRequest, 'payment' | 'caller'>

export interface RefuseDeps {
  readonly ledger: Pick<Ledger, 'find' | 'findProof'>
  readonly rails: Pick<Rails, 'find'>
  /** What the chain shows of a payment that the ledger does not have; undefined where it cannot have paid us. */
  readonly findSpent: (sent: Sent) => Promise<Witness | undefined>
  /** Counts unpaid work against the rate limit of an address. `cost` is in failed payments. */
  readonly countAgainst: (caller: string, cost: number) => void
  readonly report: (error: unknown) => void
}

/** What became of a signature that comes with a request that cannot be sold, and the sentence that tells its sender. */
interface Standing {
  readonly charged: Charged
  readonly told: string
}

const unspent: Standing = { charged: false, told: 'nothing was charged and the same signature stays valid' }
const unknown: Standing = {
  charged: 'unknown',
  told: 'nothing was charged for it; whether the same signature was used before cannot be looked up just now',
}
/** By the state of the row that the signature has in the ledger. */
const standings = {
  working: {
    charged: 'unknown',
    told: 'nothing was charged for it; the same signature came with another request, which is being worked on',
  },
  ready: {
    charged: false,
    told: 'nothing was charged; the same signature stays valid for the request that it came with before, and for no other',
  },
  settling: {
    charged: 'unknown',
    told: 'nothing was charged for it; the same signature came with another request, whose payment is on its way',
  },
  settled: {
    charged: true,
    told: 'nothing was charged for it; the same signature has paid for an earlier request, which fetches what it bought, and pays for no other',
  },
  failed: { charged: false, told: 'nothing was charged, and the same signature is not taken any more' },
} satisfies Record<string, Standing>
/** For a payment that the chain shows and the ledger has lost. */
const lost: Standing = {
  charged: true,
  told: 'nothing was charged for it; the same signature has paid for an earlier request, and pays for no other',
}
/** For another authorization under the nonce of a failed payment: it is accepted if the failed one has expired. */
const anew: Standing = {
  charged: false,
  told: 'nothing was charged and the same signature stays valid where it takes the place of one that ran out',
}

/**
 * The refusal of a request whose input cannot be sold. Its signature may have paid for an earlier request, so the
 * ledger and the chain are asked: a buyer who is wrongly told that nothing was charged may give up what it paid for.
 */
export async function refuseInput(deps: RefuseDeps, input: Refused, sent: Sent): Promise<Problem> {
  // Limits count failed payments by the status 402. This refusal has another status, so it is counted here.
  if (sent.caller !== undefined) deps.countAgainst(sent.caller, 1)
  const standing = await findStanding(deps, sent).catch((error: unknown) => {
    deps.report(error)
    return unknown
  })
  return toRefusal(input, standing)
}

/** The same refusal where the ledger cannot be read. */
export const refuseUnasked = (input: Refused): Problem => toRefusal(input, unknown)

function toRefusal({ kind, errors }: Refused, { charged, told }: Standing): Problem {
  const count = errors.length === 1 ? '1 thing is' : `${errors.length} things are`
  const detail = `${count} wrong with the request: ${errors[0]?.detail ?? ''}; ${told}`
  return new Problem(kind, { charged, errors, detail })
}

async function findStanding({ ledger, rails, findSpent }: RefuseDeps, sent: Sent): Promise<Standing> {
  const { key, authorization } = sent.payment
  const row = await ledger.find(key)
  if (row?.state === 'failed' && row.authorization !== canonicalJson(authorization)) return anew
  if (row) return (await hearChain(rails, row)) ?? standings[row.state]
  if (await ledger.findProof(key))
    return { charged: false, told: 'nothing was charged, and the same signature proves its wallet as before' }
  // The ledger may have lost the payment, because it was restored from a backup.
  const witness = await findSpent(sent)
  if (witness?.is === 'paid') return lost
  return witness?.is === 'unseen' ? unknown : unspent
}

/**
 * Asks the chain about a `ready` or `failed` payment: somebody else who has its signature may have sent it since, or an
 * earlier look at the chain may have been wrong. Undefined where the state in the ledger holds.
 */
async function hearChain(rails: RefuseDeps['rails'], row: PaymentRow): Promise<Standing | undefined> {
  if (row.state !== 'ready' && row.state !== 'failed') return undefined
  const witness = await rails.find(row.network)?.oracle.witness(toExpected(row))
  if (witness?.is === 'paid') return standings.settled
  return witness === undefined || witness.is === 'unseen' ? unknown : undefined
}
