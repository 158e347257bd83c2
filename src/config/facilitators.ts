import type { KeyObject } from 'node:crypto'
import { redactUrl } from '../core/redact-url.ts'
import { ConfigError } from './config-error.ts'
import { type Environment, isLoopback } from './environment.ts'

/** An API key of the Coinbase Developer Platform. The secret is never printed. */
export interface CdpKey {
  readonly id: string
  readonly secret: () => KeyObject
}

/** Somebody who settles, and what is shown to it. */
export interface FacilitatorChoice {
  /** `local`: the sandbox's own. `self`: our own with the operator's gas key. */
  readonly is: 'local' | 'self' | 'remote'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether it is at CDP_BASE_URL, where requests have to be signed. */
  readonly isCdp: boolean
  /** Signs each request; absent where nothing is signed. */
  readonly cdpKey?: CdpKey | undefined
}

export interface FacilitatorChoices {
  /** Asked first, and named in public documents. */
  readonly facilitator: FacilitatorChoice
  /** Take the place of the one before when it cannot be used. */
  readonly spareFacilitators: readonly FacilitatorChoice[]
}

/**
 * Who settles, as the environment says: in the order of FACILITATOR_URL, each with the credentials that are meant for it.
 *
 * @param local where the sandbox's own listens
 * @throws ConfigError when credentials are incomplete, or it is not plain whose they are
 */
export function facilitatorsOf(env: Environment, local: string): FacilitatorChoices {
  const own = `http://127.0.0.1:${env.FACILITATOR_PORT ?? env.PORT + 2}`
  return toFacilitators(env, env.FACILITATOR_URL ?? [], own, local)
}

/**
 * Who settles on one network.
 *
 * @param urls as the setting of that network lists them
 * @param own where our own listens
 * @param local the same of the sandbox's own
 * @throws ConfigError as `facilitatorsOf`
 */
export function toFacilitators(
  env: Environment,
  urls: readonly string[],
  own: string,
  local: string = own,
): FacilitatorChoices {
  const [first, ...spares] = urls.map((url) => choose(env, url, own))
  return { facilitator: first ?? { is: 'local', url: local, headers: {}, isCdp: false }, spareFacilitators: spares }
}

function choose(env: Environment, url: string, own: string): FacilitatorChoice {
  if (url === 'self') return { is: 'self', url: own, headers: {}, isCdp: false }
  const isCdp = new URL(url).origin === new URL(env.CDP_BASE_URL).origin
  return { is: 'remote', url, headers: headersOf(env, url), isCdp, ...(isCdp && { cdpKey: cdpKeyOf(env) }) }
}

/** Headers without an address are for the only facilitator of Base there is, or for the only one elsewhere. */
function headersOf(env: Environment, url: string) {
  const { FACILITATOR_HEADERS: given, FACILITATOR_URL: urls = [] } = env
  if (!given) return {}
  if (given.is === 'by-address') {
    const known = [...urls, ...(env.BASE_SEPOLIA_FACILITATOR_URL ?? [])]
    const stray = Object.keys(given.headers).find((address) => !known.includes(address))
    if (stray !== undefined) throw new ConfigError(`FACILITATOR_HEADERS names ${stray}, and FACILITATOR_URL does not`)
    return given.headers[url] ?? {}
  }
  const meant = urls.length === 1 ? urls : urls.filter((each) => each !== 'self' && !isLoopback(each))
  if (meant.length > 1)
    throw new ConfigError(
      'FACILITATOR_HEADERS must name the facilitator they are for when there are several: {"https://…": {"Name": "value"}}',
    )
  return meant.includes(url) ? given.headers : {}
}

function cdpKeyOf({ CDP_API_KEY_ID: id, CDP_API_KEY_SECRET: secret }: Environment): CdpKey | undefined {
  // A build has no secrets, and asks no facilitator: without both, requests go out unsigned.
  if (id === undefined && secret === undefined) return undefined
  if (id === undefined) throw new ConfigError('CDP_API_KEY_ID must be set when CDP_API_KEY_SECRET is')
  if (secret === undefined) throw new ConfigError('CDP_API_KEY_SECRET must be set when CDP_API_KEY_ID is')
  return { id, secret: () => secret }
}

/** All of them, in the order in which they are asked. */
export const allFacilitators = ({
  facilitator,
  spareFacilitators,
}: FacilitatorChoices): readonly FacilitatorChoice[] => [facilitator, ...spareFacilitators]

/** The one that this installation runs by itself; undefined where others settle. */
export const ownFacilitator = (choices: FacilitatorChoices): FacilitatorChoice | undefined =>
  allFacilitators(choices).find(({ is }) => is !== 'remote')

/** What it is called in findings and metrics, which everybody may read. */
export const facilitatorName = ({ is, url }: FacilitatorChoice): string =>
  is === 'remote' ? redactUrl(url).replace(/^https?:\/\//, '') : 'own'
