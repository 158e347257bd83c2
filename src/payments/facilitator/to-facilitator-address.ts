import type { FacilitatorChoice } from '../../config/facilitators.ts'
import { makeCdpSigner } from './cdp-signer.ts'
import type { FacilitatorAddress } from './sign-request.ts'

/** Where a facilitator of the configuration is, and what it is shown. */
export const toFacilitatorAddress = ({ url, headers, cdpKey }: FacilitatorChoice): FacilitatorAddress => ({
  url,
  headers,
  sign: cdpKey && makeCdpSigner(cdpKey),
})
