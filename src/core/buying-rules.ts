/**
 * What a buyer must know before the first payment. The texts are in one place because pages, descriptions and every 402
 * repeat them.
 */

/** How a buyer gets a purchase whose response was lost. */
export const retryRule =
  'After a 5xx or a lost reply, send the identical request with the identical PAYMENT-SIGNATURE again: it is charged once at most. Sign anew only after a 402.'

/** How a buyer gets a purchase even when the signature is lost, too. */
export const identifierRule =
  'Put an id of your own into extensions["payment-identifier"].info.id of the payment (16 to 128 letters, digits, - or _): with it, even a fresh signature of the same wallet for the same request fetches what was bought, for seven days, and is not charged.'

/** Both rules in one sentence, for callers of MCP tools. */
export const toolRetryRule =
  'After a retryable error or a lost reply repeat the identical call with the identical payment: it is charged once at most; a payment-identifier of your own in its extensions keeps that true for a fresh signature.'

/** The same rules for the description of each tool. It is short because every model that lists the tools reads it. */
export const toolRetryHint = 'on errors resend the same payment (payment-identifier).'

/** The npm packages that a buyer needs to pay with the reference client. */
export const clientPackages = ['@x402/core', '@x402/evm', '@x402/fetch', 'viem'] as const

/** The command that installs these packages; `@2` is the major version of the protocol and of its clients. */
export const installLine = `npm install ${clientPackages.map((name) => `${name}@2`).join(' ')}`

/** The hint for clients that send the header of x402 version 1. */
export const versionRule = `This is x402 version 2, which reads PAYMENT-SIGNATURE and not X-PAYMENT: ${installLine}`
