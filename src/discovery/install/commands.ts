import { installLine } from '../../core/buying-rules.ts'
import { toDisplay } from '../../core/money.ts'
import { advertisedPrice, type Offer } from '../../offers/offer.ts'

/** Quotes a text as one word of a POSIX shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Address and command of a skill's install script; the slug `:slug` gives the pattern of the addresses. */
export function toInstallLinks(slug: string, baseUrl: string) {
  const installUrl = `${baseUrl}/skills/${slug}/install`
  return { installUrl, installCommand: `curl -fsSL ${installUrl} | sh` }
}

const body = (offer: Offer): string | undefined => (offer.method === 'POST' ? JSON.stringify(offer.example) : undefined)

/** A command that shows the 402 response with its terms, free of charge. */
export function toCurl(offer: Offer, baseUrl: string): string {
  const json = body(offer)
  const url = baseUrl + offer.path
  return json === undefined
    ? `curl -si ${url}`
    : `curl -si ${url} \\\n  -H 'content-type: application/json' \\\n  -d ${quote(json)}`
}

/** Commands that buy a product with `/buy.mjs` and Node alone. */
export function toBuyCommand(offer: Offer, baseUrl: string): string {
  const json = body(offer)
  const output = /^(?:image|audio)\//.test(offer.mimeType) ? ` -o ${offer.fileName}` : ''
  const sent = json === undefined ? '' : ` \\\n  -d ${quote(json)}`
  return `curl -fsSLO ${baseUrl}/buy.mjs\nnode buy.mjs ${baseUrl + offer.path}${output}${sent}`
}

const answerIn: Readonly<Record<string, string>> = {
  'application/json': 'await response.json()',
  'text/plain': 'await response.text()',
}

/** Code that buys a product with the reference client; the spending limit is the highest possible price. */
export function toFetchSnippet(offer: Offer, baseUrl: string): string {
  const most = typeof offer.price === 'bigint' ? advertisedPrice(offer) : offer.price.most
  const init = [
    '{',
    "  method: 'POST',",
    "  headers: { 'content-type': 'application/json' },",
    `  body: JSON.stringify(${JSON.stringify(offer.example, null, 2).replaceAll('\n', '\n  ')}),`,
    '}',
  ].join('\n')
  return `// ${installLine}
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(process.env.BUYER_KEY)
const client = new x402Client()
  .register('eip155:8453', new ExactEvmScheme(account))
  .setSpendControls({ maxAmountPerPayment: '${toDisplay(most)}' })
const pay = wrapFetchWithPayment(fetch, client)

const response = await pay('${baseUrl + offer.path}'${offer.method === 'POST' ? `, ${init}` : ''})
if (!response.ok) throw new Error(await response.text())
const product = ${answerIn[offer.mimeType] ?? 'await response.arrayBuffer()'}`
}
