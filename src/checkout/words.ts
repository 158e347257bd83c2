import { readText } from '../browser/read-value.ts'
import type { Authorization } from './kept-purchases.ts'
import type { Answer } from './send.ts'
import type { Signed } from './sign.ts'

/** What is said while it is not known what became of a payment. */
export const waiting = {
  silence:
    'The shop cannot be reached. What you signed is kept in this browser and sent again until it answers; you cannot pay twice.',
  work: 'The shop is at work. The same signature is sent until it is done; you cannot pay twice.',
} as const

/** Why nothing was signed, and what to do about it. */
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
      return 'This is a sandbox and your wallet holds real money, so it was not asked to sign. Use the test wallet, or one on the sandbox chain. Nothing was charged.'
    case 'failed':
      return `The wallet did not sign: ${signed.reason}. ${still}`
  }
}

/** Why the shop took nothing for what was signed. */
export function toReason(answer: Extract<Answer, { is: 'terms' | 'refused' }>): string {
  const code = answer.is === 'terms' ? readText(answer.terms.required['error']) : ''
  return /insufficient_(?:funds|balance)/.test(code)
    ? 'This wallet has too little USDC on Base for it, and nothing was charged. Add some, then press the button again.'
    : answer.reason
}

/** Until when a signature can be collected, on the buyer's clock. */
export const toTime = ({ endMs }: Authorization): string => new Date(endMs).toLocaleTimeString()
