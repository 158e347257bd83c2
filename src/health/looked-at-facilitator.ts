import { toFacilitatorPart } from '../core/facilitator-part.ts'
import { base, type Network } from '../core/networks.ts'
import type { FacilitatorAddress } from '../payments/facilitator/sign-request.ts'

/** A facilitator, and how it is spoken of. */
export interface LookedAt extends FacilitatorAddress {
  /** For everybody to read. */
  readonly name: string
  /** On which it settles; Base when absent. */
  readonly network?: Network
  /** Whether another can take its place: then it is called by its name, and one that fails stops no sale. */
  readonly isOneOfSeveral?: boolean
  /** Whether requests to it have to be signed with a CDP key. */
  readonly isCdp?: boolean
}

/** What people call the network, Base by the word that tells it from its test network. */
export const toFullName = ({ id, name }: Network): string => (id === base.id ? 'Base mainnet' : name)

/** What is looked at, by its name where there are several. */
export const toPartName = (
  part: 'facilitator' | 'verification',
  { name, isOneOfSeveral = false }: LookedAt,
): string => {
  if (!isOneOfSeveral) return part
  return part === 'facilitator' ? toFacilitatorPart(name) : `${part} ${name}`
}

/** How sentences about it begin, and what follows of its failure where it is the only one. */
export const toSubject = ({ name, isOneOfSeveral = false }: LookedAt) => ({
  who: isOneOfSeveral ? `The payment facilitator ${name}` : 'The payment facilitator',
  so: (consequence: string): string => (isOneOfSeveral ? ', and is left out' : consequence),
})

/** What to look at when it does not let this shop in. */
export function refusalAdvice({ sign, isCdp = false }: LookedAt): string {
  if (sign) return 'Check CDP_API_KEY_ID and CDP_API_KEY_SECRET, and the permissions of that key.'
  return isCdp ? 'Set CDP_API_KEY_ID and CDP_API_KEY_SECRET.' : 'Check FACILITATOR_HEADERS.'
}
