import { canonicalJson } from '../core/canonical-json.ts'
import { sha256 } from '../core/sha256.ts'
import type { Offer } from './offer.ts'

/** Hash of a product's id and an input: payments with the same one buy the same. The input is validated or as sent. */
export const toFingerprint = ({ id }: Pick<Offer, 'id'>, input: object): string => sha256(id, canonicalJson(input))
