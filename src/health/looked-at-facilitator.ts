import { toFacilitatorPart } from '../core/facilitator-part.ts'
import { base, type Network } from '../core/networks.ts'
import type { FacilitatorAddress } from '../payments/facilitator/sign-request.ts'

/** A facilitator to check, and how findings name it. */
export interface LookedAt extends FacilitatorAddress {
  /** Its public name. */
  readonly name: string
  /** Network on which it settles; Base when absent. */
  readonly network?: Network
  /** Whether another can take its place: then findings give its name, and its failure stops no sale. */
  readonly isOneOfSeveral?: boolean
  /** Whether requests to it have to be signed with a CDP key. */
  readonly isCdp?: boolean
}

/** The name of a network for people; "Base mainnet" for Base, to tell it from its test network. */
export const toFullName = ({ id, name }: Network): string => (id === base.id ? 'Base mainnet' : name)

/** The name of a check of a facilitator, with the facilitator's name where there are several. */
export const toPartName = (
  part: 'facilitator' | 'verification',
  { name, isOneOfSeveral = false }: LookedAt,
): string => {
  if (!isOneOfSeveral) return part
  return part === 'facilitator' ? toFacilitatorPart(name) : `${part} ${name}`
}

/** How sentences about it begin (`who`), and how they name the consequence of its failure (`so`). */
export const toSubject = ({ name, isOneOfSeveral = false }: LookedAt) => ({
  who: isOneOfSeveral ? `The payment facilitator ${name}` : 'The payment facilitator',
  so: (consequence: string): string => (isOneOfSeveral ? ', and is left out' : consequence),
})

/** Advice for when it refuses this shop. */
export function refusalAdvice({ sign, isCdp = false }: LookedAt): string {
  if (sign) return 'Check CDP_API_KEY_ID and CDP_API_KEY_SECRET, and the permissions of that key.'
  return isCdp ? 'Set CDP_API_KEY_ID and CDP_API_KEY_SECRET.' : 'Check FACILITATOR_HEADERS.'
}
