/**
 * What a buyer must know before the first payment. Said in one place, because it stands wherever somebody may begin: on
 * pages, in descriptions, in every 402.
 */

/** How a purchase survives a lost answer. */
export const retryRule =
  'After a 5xx or a lost reply, send the identical request with the identical PAYMENT-SIGNATURE again: it is charged once at most. Sign anew only after a 402.'

/** How it survives a lost signature, too. */
export const identifierRule =
  'Put an id of your own into extensions["payment-identifier"].info.id of the payment (16 to 128 letters, digits, - or _): with it, even a fresh signature of the same wallet for the same request fetches what was bought, for seven days, and is not charged.'

/** Both for a caller of tools. */
export const toolRetryRule =
  'After a retryable error or a lost reply repeat the identical call with the identical payment: it is charged once at most; a payment-identifier of your own in its extensions keeps that true for a fresh signature.'

/** The same in the description of each tool, where every word is read by every model. */
export const toolRetryHint = 'on errors resend the same payment (payment-identifier).'

/** What pays here with a reference client. */
export const clientPackages = ['@x402/core', '@x402/evm', '@x402/fetch', 'viem'] as const

/** Installs them; the number is the version of the protocol and of its clients. */
export const installLine = `npm install ${clientPackages.map((name) => `${name}@2`).join(' ')}`

/** Said to whoever pays as version 1 did. */
export const versionRule = `This is x402 version 2, which reads PAYMENT-SIGNATURE and not X-PAYMENT: ${installLine}`
