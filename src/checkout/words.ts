import { readText } from '../browser/read-value.ts'
import { type Authorization, hasEnded } from './kept-purchases.ts'
import type { Answer } from './send.ts'
import type { Signed } from './sign.ts'

/** The status texts while the result of a payment is unknown. */
export const waiting = {
  silence: 'The shop cannot be reached. What you signed is kept in this browser and sent again; you cannot pay twice.',
  work: 'The shop is at work. The same signature is sent until it is done.',
} as const

/** The status text when there was no response until the signature expired. */
export const givenUp =
  'The shop does not answer. If it took the payment, it keeps your product for seven days: open this page again.'

/** Why nothing was signed, and what the user can do. */
export function toRefused(signed: Exclude<Signed, { is: 'signed' }>, earlier: Authorization | undefined): string {
  const still = earlier ? `What you signed before ends at ${toTime(earlier)}.` : 'Nothing was charged.'
  switch (signed.is) {
    case 'refused':
      return `You said no in the wallet. ${still}`
    case 'other-wallet':
      return `You signed before with the wallet ${earlier?.payer ?? ''}; choose that one again. ${still}`
    case 'wrong-chain':
      return `Your wallet is on another chain. Switch it to Base (8453) and try again. ${still}`
    case 'real-money':
      return 'This is a sandbox and your wallet holds real money, so it was not asked. Use the test wallet.'
    case 'failed':
      return `The wallet did not sign: ${signed.reason}. ${still}`
  }
}

/** Why the shop declined, and how long the signature can still be used. */
export function toDeclined(answer: Extract<Answer, { is: 'terms' | 'refused' }>, signed: Authorization): string {
  if (answer.body['owned']) return `${answer.reason}: the button does both now.`
  const code = answer.is === 'terms' ? readText(answer.terms.required['error']) : ''
  const reason = /insufficient_(?:funds|balance)/.test(code)
    ? 'This wallet has too little USDC on Base for it, and nothing was charged. Add some, and press again'
    : answer.reason
  const standing = hasEnded(signed)
    ? 'has ended, and cannot be charged.'
    : /signature$|_payload$/.test(code)
      ? 'is void: press again.'
      : `stays good until ${toTime(signed)}. The button sends it again.`
  return `${reason}. What you signed ${standing}`
}

/** The time until which a signature can be collected, by the clock of the browser. */
const toTime = ({ endMs }: Authorization): string => new Date(endMs).toLocaleTimeString()
