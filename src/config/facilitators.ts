import type { KeyObject } from 'node:crypto'
import { redactUrl } from '../core/redact-url.ts'
import { ConfigError } from './config-error.ts'
import { type Environment, isLoopback } from './environment.ts'

/** An API key of the Coinbase Developer Platform. The secret is never printed. */
export interface CdpKey {
  readonly id: string
  readonly secret: () => KeyObject
}

/** One facilitator, and the credentials that it gets. */
export interface FacilitatorChoice {
  /** `local`: that of the sandbox. `self`: ours, with the operator's gas key. `remote`: that of somebody else. */
  readonly is: 'local' | 'self' | 'remote'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether its URL is at CDP_BASE_URL, where requests have to be signed. */
  readonly isCdp: boolean
  /** Signs each request; absent where nothing is signed. */
  readonly cdpKey?: CdpKey | undefined
}

export interface FacilitatorChoices {
  /** The facilitator that is tried first and that public documents name. */
  readonly facilitator: FacilitatorChoice
  /** Facilitators that are tried, in this order, when those before them cannot be used. */
  readonly spareFacilitators: readonly FacilitatorChoice[]
}

/**
 * The facilitators of Base in the order of FACILITATOR_URL, each with the credentials that are meant for it.
 *
 * @param local the URL of the sandbox's own facilitator
 * @throws ConfigError when credentials are incomplete, or it is not clear which facilitator they belong to
 */
export function facilitatorsOf(env: Environment, local: string): FacilitatorChoices {
  const own = `http://127.0.0.1:${env.FACILITATOR_PORT ?? env.PORT + 2}`
  return toFacilitators(env, env.FACILITATOR_URL ?? [], own, local)
}

/**
 * The facilitators of one network.
 *
 * @param urls as the setting of that network lists them
 * @param own the URL of our own facilitator for that network
 * @param local the URL of the sandbox's own facilitator for that network
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

/**
 * Headers without an address belong to the only facilitator of Base, or, with several, to the only one that is not on
 * this machine.
 */
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
  // A build has no secrets and calls no facilitator: without both values, requests are not signed.
  if (id === undefined && secret === undefined) return undefined
  if (id === undefined) throw new ConfigError('CDP_API_KEY_ID must be set when CDP_API_KEY_SECRET is')
  if (secret === undefined) throw new ConfigError('CDP_API_KEY_SECRET must be set when CDP_API_KEY_ID is')
  return { id, secret: () => secret }
}

/** All facilitators, in the order in which they are tried. */
export const allFacilitators = ({
  facilitator,
  spareFacilitators,
}: FacilitatorChoices): readonly FacilitatorChoice[] => [facilitator, ...spareFacilitators]

/** The facilitator that this installation itself runs; undefined where all are remote. */
export const ownFacilitator = (choices: FacilitatorChoices): FacilitatorChoice | undefined =>
  allFacilitators(choices).find(({ is }) => is !== 'remote')

/** The name of a facilitator in findings and metrics, which are public. */
export const facilitatorName = ({ is, url }: FacilitatorChoice): string =>
  is === 'remote' ? redactUrl(url).replace(/^https?:\/\//, '') : 'own'
