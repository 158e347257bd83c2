import type { Alternate } from '../core/alternate.ts'
import { identifierRule, retryRule } from '../core/buying-rules.ts'
import { toCodeBlock, toInline, toSections, toTable } from '../core/markdown.ts'
import { toBuyCommand, toCurl, toFetchSnippet, toInstallLinks } from '../discovery/install/commands.ts'
import { toInputFields } from '../offers/body-shape.ts'
import { type Offer, pagePath, priceText } from '../offers/offer.ts'
import type { Skill } from '../offers/skill.ts'

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

function termsOf(offer: Offer): string[] {
  const rule = typeof offer.price === 'bigint' ? '' : `: ${offer.price.rule}`
  return [
    `Price: ${priceText(offer)} in USDC on Base, by x402${rule}`,
    `Request: \`${offer.method} ${offer.path}\``,
    `Answer: \`${offer.mimeType}\``,
  ]
}

const toBuying = (offer: Offer, baseUrl: string): string =>
  toSections(
    '## Buy it',
    'There is no account and no key. Asked without payment, the address answers 402 with its terms; a signed payment in the next request buys it. If the work fails, nothing is charged. [How an agent pays](/agents)',
    `${retryRule} ${identifierRule}`,
    offer.lane === 'skill' && `Install it:\n\n${toCodeBlock(toInstallLinks(offer.slug, baseUrl).installCommand, 'sh')}`,
    `See the price, free:\n\n${toCodeBlock(toCurl(offer, baseUrl), 'sh')}`,
    `Buy with one file and Node.js 20 or newer, key in FARTHING_PRIVATE_KEY:\n\n${toCodeBlock(toBuyCommand(offer, baseUrl), 'sh')}`,
    `Buy from a program:\n\n${toCodeBlock(toFetchSnippet(offer, baseUrl), 'js')}`,
  )

const toAlternate = (offer: Offer, body: string, updatedAt?: Date): Alternate => ({
  path: pagePath(offer),
  title: offer.title,
  summary: offer.excerpt,
  body,
  updatedAt,
})

/** The free page of a skill: its terms, its headings and its preview, but nothing else of the file that is sold. */
export function toSkillAlternate(offer: Offer, skill: Skill, baseUrl: string): Alternate {
  const facts = [
    ...termsOf(offer),
    `Version: ${skill.version}, published ${skill.publishedAt.slice(0, 10)}`,
    `Size: ${skill.bytes} bytes`,
    ...(skill.license === undefined ? [] : [`Licence: ${skill.license}`]),
    `SHA-256: \`${skill.sha256}\``,
  ]
  const body = toSections(
    bullets(facts),
    `## What you get\n\n${bullets(offer.delivers)}`,
    `## When an agent loads it\n\n${toInline(skill.description)}`,
    skill.headings.length > 0 && `## What is in it\n\n${bullets(skill.headings)}`,
    `## How it begins\n\n${toCodeBlock(skill.preview, 'markdown')}`,
    toBuying(offer, baseUrl),
  )
  return toAlternate(offer, body, new Date(skill.publishedAt))
}

/** The free page of a hosted API or of paid content. */
export function toApiAlternate(offer: Offer, baseUrl: string, updatedAt?: Date): Alternate {
  const fields = toInputFields(offer)
  const table = toTable(
    ['Field', 'Type', 'Meaning'],
    fields.map(({ name, shape, description }) => [`\`${name}\``, shape, description]),
  )
  const carrier = offer.method === 'POST' ? 'A JSON body with these fields:' : 'In the query string:'
  const body = toSections(
    bullets(termsOf(offer)),
    `## What you get\n\n${bullets(offer.delivers)}`,
    fields.length > 0 && `## What you send\n\n${carrier}\n\n${table}`,
    `## Example response\n\n${toCodeBlock(offer.sample)}`,
    toBuying(offer, baseUrl),
  )
  return toAlternate(offer, body, updatedAt)
}

/** The entry of a product in lists. */
export const toProductLine = (offer: Offer) => ({
  title: offer.title,
  path: pagePath(offer),
  about: `${priceText(offer)}. ${offer.excerpt}`,
})
