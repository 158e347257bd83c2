import { network, usdcAddress } from '../core/chain-constants.ts'
import type { Exposure } from './exposure.ts'
import { type Delivered, type Outcome, toDearness, toExitCode } from './outcome.ts'
import type { Order } from './send-request.ts'
import { afterAmount, showAmount, tokenName, toSum } from './token.ts'

/** The report for people on standard error. Once something was signed, it never says that nothing was paid. */
export function toLines(outcome: Outcome, { method, url }: Order): string[] {
  switch (outcome.is) {
    case 'bought': {
      const { purchase, delivered, proof, receiptUrl, resends, resumed, isOwned, risk } = outcome
      return [
        `${isOwned ? 'owned      ' : 'bought     '} ${method} ${url.href}`,
        ...(isOwned
          ? ['charged     nothing, says the shop: this wallet bought it before, and signed only to prove that']
          : []),
        `price       ${showAmount(BigInt(purchase.amountMicroUsd), purchase.asset)} from ${purchase.payer} to ${purchase.payTo}`,
        proof.is === 'settled' ? `transaction ${proof.transaction} on ${network}` : `no proof    ${proof.detail}`,
        ...(receiptUrl ? [`receipt     ${receiptUrl}`] : []),
        `product     ${describe(delivered)}`,
        ...(resumed ? ['resumed     with the signature of an earlier run'] : []),
        ...(resends > 0
          ? [`resent      ${resends === 1 ? 'once' : `${resends} times`}, always the same signature`]
          : []),
        ...toRiskLines(risk),
      ]
    }
    case 'again':
      return [
        `bought before, at ${outcome.before.boughtAt}; nothing was signed by this run`,
        ...(outcome.receiptUrl ? [`receipt     ${outcome.receiptUrl}`] : []),
        `product     ${describe(outcome.delivered)}`,
        `noted in    ${outcome.record}; delete that file to get what is sold now,`,
        '            which costs nothing if it is the same',
      ]
    case 'free':
      return [
        'free        the shop asked for no payment, and nothing was paid',
        `product     ${describe(outcome.delivered)}`,
      ]
    case 'refused':
      return [
        `refused: ${outcome.status} ${outcome.problem.detail ?? ''}`.trim(),
        ...outcome.problem.errors.map((line) => `  ${line}`),
        'nothing was paid',
      ]
    case 'unreachable':
      return [`${url.origin} cannot be reached: ${outcome.detail}`, 'nothing was paid']
    case 'redirected':
      return [`it has moved to ${outcome.location}: buy from there`, 'nothing was paid']
    case 'no-key': {
      const { price, terms } = outcome
      const token = tokenName(terms.asset)
      return [
        `price       ${showAmount(price, terms.asset)}${token === 'USDC' ? ' in USDC' : ''} on Base (${terms.network})`,
        `paid to     ${terms.payTo}`,
        '',
        `There is no key to pay with. Give the key of a wallet that holds ${token} on Base; it needs no ETH, because`,
        'the shop submits the transfer. Keep no more in that wallet than you mean to spend.',
        '  --key-file FILE            a file that holds the private key, or',
        '  FARTHING_PRIVATE_KEY=0x…   in the environment',
        'A sandbox on this machine pays by itself: run the command in its folder while it runs, or set DATA_DIR.',
      ]
    }
    case 'too-dear':
      return outcome.risk.length > 0
        ? [
            `a payment for this is signed already, but ${toDearness(outcome)}`,
            'this run sent nothing',
            ...toRiskLines(outcome.risk),
          ]
        : [toDearness(outcome), 'this run signed nothing']
    case 'unpayable':
      return [`this cannot be paid here: ${outcome.detail}`, 'nothing was paid']
    case 'payment-refused':
      return [
        `the shop refused the payment: ${outcome.reason}`,
        ...advise(outcome),
        ...toRiskLines(outcome.risk),
        ...toNextLines(outcome),
      ]
    case 'unresolved':
      return [`nothing was delivered: ${outcome.detail}`, ...toRiskLines(outcome.risk), ...toNextLines(outcome)]
    case 'not-kept':
      return [
        `the product was not kept: ${outcome.detail}`,
        ...(outcome.record === undefined
          ? ['nothing was paid']
          : [
              ...toRiskLines(outcome.risk),
              'run the same command again: it fetches the product with the same signature, for free',
              `kept in ${outcome.record}`,
            ]),
      ]
  }
}

/**
 * The lines about signatures that may still cost money. It makes no difference if the shop says that it took nothing.
 */
const toRiskLines = (risk: readonly Exposure[]): string[] =>
  risk.flatMap(({ amount, payer, payTo, asset, nonce, validBefore }) => [
    `at risk     ${showAmount(amount, asset)} of ${payer}, once, to ${payTo.join(' or ')}`,
    `            the signature can be collected until ${toTime(validBefore)}, whatever the shop says; to see whether`,
    `            it was, ask the token: authorizationState(${payer}, ${nonce})`,
  ])

const toNextLines = ({ record }: { record: string }): string[] => [
  'run the same command again: it sends the same signature, which moves money at most once. It signs another only to',
  'replace this one, or after this one has expired and if --max-usd covers both',
  `kept in ${record}`,
]

/** The time in RFC 3339. */
const toTime = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

function describe({ bytes, sha256, mimeType, where }: Delivered): string {
  const place = where.is === 'file' ? where.path : 'on standard output'
  return `${where.is === 'report' ? 'in the report' : place}, ${bytes} bytes of ${mimeType}, sha256 ${sha256}`
}

function advise({ reason, payer, risk }: Extract<Outcome, { is: 'payment-refused' }>): string[] {
  if (/newer_version/.test(reason)) return ['the same command buys the new version']
  if (/insufficient_(balance|funds)/.test(reason))
    return [`the wallet ${payer} has too little ${afterAmount(risk.at(-1)?.asset ?? usdcAddress)} on Base`]
  if (/valid_(before|after)/.test(reason)) return ['is the clock of this machine right?']
  return []
}

/** The report for programs: one JSON object, with the text of the product when it was not saved to a file. */
export function toJson(outcome: Outcome, { method, url }: Order): string {
  const { is } = outcome
  const common = { outcome: is, exitCode: toExitCode(outcome), method, url: url.href }
  const report = JSON.stringify({ ...common, ...toFields(outcome) })
  // The text of a product may contain terminal commands; as escapes they are the same JSON.
  return report.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, toEscape)
}

const toEscape = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

function toFields(outcome: Outcome): Record<string, unknown> {
  switch (outcome.is) {
    case 'bought': {
      const { purchase, delivered, proof, receiptUrl, resends, resumed, isOwned, risk } = outcome
      return {
        ...toSum(purchase.amountMicroUsd, purchase.asset),
        payTo: purchase.payTo,
        payer: purchase.payer,
        transaction: proof.is === 'settled' ? proof.transaction : null,
        ...(proof.is === 'unproven' && { unproven: proof.detail }),
        receiptUrl: receiptUrl ?? null,
        resends,
        resumed,
        ...(isOwned && { charged: false }),
        product: toProduct(delivered),
        ...(risk.length > 0 && { atRisk: toRisk(risk) }),
      }
    }
    case 'again':
      return {
        charged: false,
        boughtAt: outcome.before.boughtAt,
        receiptUrl: outcome.receiptUrl ?? null,
        record: outcome.record,
        product: toProduct(outcome.delivered),
      }
    case 'free':
      return { product: toProduct(outcome.delivered) }
    case 'refused':
      return { status: outcome.status, detail: outcome.problem.detail, errors: outcome.problem.errors }
    case 'no-key':
      return {
        ...toSum(outcome.terms.amount, outcome.terms.asset),
        payTo: outcome.terms.payTo,
        network: outcome.terms.network,
      }
    case 'too-dear':
      return {
        ...toSum(outcome.price, outcome.asset),
        maxMicroUsd: String(outcome.maxPrice),
        outstandingMicroUsd: String(outcome.outstanding),
        pending: outcome.risk.length > 0,
        ...(outcome.risk.length > 0 && { atRisk: toRisk(outcome.risk) }),
      }
    case 'payment-refused':
      return { reason: outcome.reason, payer: outcome.payer, atRisk: toRisk(outcome.risk), record: outcome.record }
    case 'redirected':
      return { location: outcome.location }
    case 'unreachable':
    case 'unpayable':
      return { detail: outcome.detail }
    case 'unresolved':
      return { detail: outcome.detail, atRisk: toRisk(outcome.risk), record: outcome.record }
    case 'not-kept':
      return {
        detail: outcome.detail,
        paid: outcome.record !== undefined,
        ...(outcome.record !== undefined && { atRisk: toRisk(outcome.risk), record: outcome.record }),
      }
  }
}

const toRisk = (risk: readonly Exposure[]) =>
  risk.map(({ amount, payer, payTo, asset, nonce, validBefore }) => ({
    ...toSum(amount, asset),
    payer,
    payTo,
    nonce,
    until: toTime(validBefore),
  }))

const toProduct = ({ bytes, sha256, mimeType, where }: Delivered) => ({
  bytes,
  sha256,
  mimeType,
  ...(where.is === 'file' && { file: where.path }),
  ...(where.is === 'report' && { text: where.text }),
})
