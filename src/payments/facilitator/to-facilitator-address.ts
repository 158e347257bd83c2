import type { FacilitatorChoice } from '../../config/facilitators.ts'
import { makeCdpSigner } from './cdp-signer.ts'
import type { FacilitatorAddress } from './sign-request.ts'

/** The address and authentication of a configured facilitator. */
export const toFacilitatorAddress = ({ url, headers, cdpKey }: FacilitatorChoice): FacilitatorAddress => ({
  url,
  headers,
  sign: cdpKey && makeCdpSigner(cdpKey),
})
