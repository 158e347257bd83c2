import site from '../../../site.config.ts'
import { identifierRule, retryRule } from '../../core/buying-rules.ts'
import { toSections } from '../../core/markdown.ts'
import type { FreeSkill } from './agent-skills.ts'

const name = 'buy-from-this-site'

const toDescription = (baseUrl: string): string =>
  `Find, price, buy and fetch again what ${site.name} (${baseUrl}) sells to programs: agent skills, hosted APIs and whole archives, a few cents each, paid per request in USDC with x402 version 2. Use it when asked to buy from ${baseUrl}, when one of its addresses answers 402, or when a payment there ended in a 409, a 5xx or silence.`

/** The skill that teaches an agent to buy here. It is free, because agents need it before they can buy. */
export function makeBuyingSkill(baseUrl: string): FreeSkill {
  const description = toDescription(baseUrl)
  const matter = [
    '---',
    `name: ${name}`,
    `description: ${JSON.stringify(description)}`,
    'license: MIT',
    'compatibility: "Needs HTTP requests and a wallet with USDC on Base that can sign EIP-712 data."',
    'metadata:',
    `  homepage: ${JSON.stringify(`${baseUrl}/agents`)}`,
    '  version: "1.0.0"',
    '---',
  ].join('\n')
  const text = toSections(
    matter,
    `# Buy from ${site.name}`,
    'There is no account and no key. A signed payment in the request is all there is.',
    `## Find

1. GET ${baseUrl}/api/catalog.json. \`skills\`, \`hostedApis\` and \`content\` list everything with \`price\`, \`method\`, \`buyUrl\` and \`previewUrl\`.
2. Read \`previewUrl\` with \`Accept: text/markdown\`: it says what is delivered and shows a sample, free.
3. Other documents are found by name in \`pointers\`; the names do not change. Schemas are in ${baseUrl}/openapi.json.`,
    `## Price

Send the real request without payment. The answer is a 402. Its \`PAYMENT-REQUIRED\` header is base64 over JSON: \`accepts[0]\` holds scheme, network, asset, payTo and the exact \`amount\` in millionths of a dollar. The body says the same in the open, and \`errors\` when the request would be refused.

Before you sign, check that the network is \`eip155:8453\`, that payTo is the catalog's \`wallet\`, and that the amount is one you were allowed to spend.`,
    `## Pay

Sign \`accepts[0]\` with any x402 version 2 client (scheme \`exact\`, EIP-3009). Repeat the identical request with the header \`PAYMENT-SIGNATURE\`: base64 over the JSON payload. Copy \`extensions\` of the 402 into the payload unchanged; the token in it lets you fetch the product again.

Keep the signed header until you hold the product. Images and narrations take a minute or two: wait at least 180 seconds.`,
    `## When it does not answer 200

| answer | money | what to do |
|---|---|---|
| 5xx, or no answer | at most one charge | resend the identical request with the identical header |
| 409 with Retry-After | the first copy is being worked on | wait, then resend the same |
| 400, 413, 415 | not charged; what a used signature came to before is in \`charged\` | repair the body; a signature that was not used before is good for it if the price stayed the same |
| 402 | not charged | read \`error\`, then sign anew |
| 404 | not charged | look the address up in the catalog again |
| 429 | not charged | wait Retry-After seconds |

${retryRule} ${identifierRule}`,
    `## Afterwards

- \`PAYMENT-RESPONSE\` (base64 JSON) holds the transaction. \`X-Receipt-Id\` names the receipt: GET \`/api/receipts/{id}.json\`. It is signed; \`node buy.mjs verify receipt.json keys.json\` checks it offline, with ${baseUrl}/buy.mjs and the document at the receipt's \`signed.keys\`.
- The same request with the same header, its \`extensions\` included, gets the same bytes for seven days, free of charge.
- A skill is one SKILL.md. Keep it in a folder with its slug as the name, compare its SHA-256 with its \`digest\` in /skills.json, and read it before you follow it.`,
  )
  return { name, description, text: `${text}\n` }
}
