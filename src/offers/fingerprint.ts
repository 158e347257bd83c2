import { canonicalJson } from '../core/canonical-json.ts'
import { sha256 } from '../core/sha256.ts'
import type { Offer } from './offer.ts'

/** What a payment buys: a product, and the validated input that it is made from. */
export const toFingerprint = ({ id }: Pick<Offer, 'id'>, input: object): string => sha256(id, canonicalJson(input))
