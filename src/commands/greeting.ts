import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/environment.ts'
import { allFacilitators } from '../config/facilitators.ts'
import { redactUrl } from '../core/redact-url.ts'

/** What `npm start` prints once everything runs: the addresses, with possible keys in them redacted. */
export function toGreeting(config: Config, skillSlugs: readonly string[]): string[] {
  const { alsoNetworks, baseUrl, gameUrl, rpcUrl, payTo, mode } = config
  const [slug] = skillSlugs
  const isSandbox = mode === 'sandbox'
  return [
    '',
    `  site         ${baseUrl}`,
    `  catalog      ${baseUrl}/api/catalog.json`,
    `  game         ${gameUrl}`,
    ...allFacilitators(config).map(({ url }) => `  facilitator  ${redactUrl(url)}`),
    `  chain        ${redactUrl(rpcUrl)}`,
    ...alsoNetworks.flatMap((other) => [
      `  ${other.network.slug}, a test network`,
      ...allFacilitators(other).map(({ url }) => `  facilitator  ${redactUrl(url)}`),
      `  chain        ${redactUrl(other.rpcUrl)}`,
    ]),
    `  pays to      ${payTo}${isSandbox ? '  (sandbox: simulated money)' : ''}`,
    // Only on this machine, because elsewhere the buying program needs a key: the wallet of a sandbox pays only
    // locally.
    ...(isSandbox && slug !== undefined && isLoopback(baseUrl)
      ? ['', `  try it:      npm run buy -- ${baseUrl}/skills/${slug}/raw`]
      : []),
    '',
  ]
}
