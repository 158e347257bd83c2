import type { Shop } from '../../config/shop.ts'
import { type MicroUsd, toDisplay } from '../../core/money.ts'
import { quote, toInstallLinks } from './commands.ts'
import { installScriptBody } from './install-script-body.ts'

/** The values that are written into the install script of a skill. */
export interface InstallScriptFacts {
  slug: string
  title: string
  priceMicroUsd: MicroUsd
  /** The hexadecimal SHA-256 of the skill's file as it is sold. */
  skillSha256: string
  /** The hexadecimal SHA-256 of `/buy.mjs` as it is served. */
  buyerSha256: string
  shop: Pick<Shop, 'baseUrl' | 'payTo' | 'network' | 'mode'>
}

const shapes = {
  slug: /^[a-z0-9-]{1,64}$/,
  baseUrl: /^https?:\/\/(?:[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/,
  address: /^0x[0-9a-fA-F]{40}$/,
  network: /^[a-z0-9-]{3,8}:[A-Za-z0-9-]{1,32}$/,
  sha256: /^[0-9a-f]{64}$/,
  mode: /^(?:sandbox|live)$/,
} as const

function checked(name: string, value: string, shape: RegExp): string {
  if (!shape.test(value)) throw new TypeError(`${name} cannot be written into a script: ${JSON.stringify(value)}`)
  return value
}

/** A title for a terminal: printable ASCII only, because a document must not send control characters. */
const plain = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 200)

/**
 * The script at `/skills/{slug}/install`: it shows the price, pays through `/buy.mjs` with the caller's own key, checks
 * the digest of the skill and puts it where an agent looks for skills. It runs nothing from the skill.
 *
 * @throws TypeError when a value does not have the required form
 */
export function toInstallScript({ slug, title, priceMicroUsd, skillSha256, buyerSha256, shop }: InstallScriptFacts) {
  const baseUrl = checked('the base URL', shop.baseUrl, shapes.baseUrl)
  const { installUrl } = toInstallLinks(checked('the slug', slug, shapes.slug), baseUrl)
  if (priceMicroUsd <= 0n) throw new TypeError('an install script sells; the price must be positive')
  const price = toDisplay(priceMicroUsd)
  const facts = {
    slug,
    title: plain(title) || slug,
    price,
    price_usd: price.slice(1),
    pay_to: checked('the wallet', shop.payTo, shapes.address),
    network: checked('the network', shop.network, shapes.network),
    mode: checked('the mode', shop.mode, shapes.mode),
    install_url: installUrl,
    raw_url: `${baseUrl}/skills/${slug}/raw`,
    buyer_url: `${baseUrl}/buy.mjs`,
    skill_sha256: checked('the checksum of the skill', skillSha256, shapes.sha256),
    buyer_sha256: checked('the checksum of buy.mjs', buyerSha256, shapes.sha256),
  }
  const assignments = Object.entries(facts).map(([name, value]) => `  ${name}=${quote(value)}`)
  return `#!/bin/sh
# Buys one Agent Skill and installs it as a file. Read it, then run it; --help lists the options.
set -eu
umask 077

# shellcheck disable=SC2016 # a price is no variable
describe_skill() {
${assignments.join('\n')}
}
${installScriptBody}`
}
