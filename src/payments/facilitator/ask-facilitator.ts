import { fetchJson } from '../../http/fetch-json.ts'
import type { FacilitatorAddress } from './sign-request.ts'

const maxAnswerBytes = 64 * 1024

/**
 * Sends one authenticated request of the facilitator API (x402 v2).
 *
 * @param deadlineMs for the whole exchange
 * @param asked the body for `verify` and `settle`; absent for `supported`
 * @throws UpstreamError when there is no JSON response within the deadline and 64 KiB
 */
export async function askFacilitator(
  { url, headers, sign }: FacilitatorAddress,
  operation: 'verify' | 'settle' | 'supported',
  deadlineMs: number,
  asked?: { readonly paymentPayload: unknown; readonly paymentRequirements: unknown },
): Promise<{ status: number; json: unknown }> {
  const method = asked === undefined ? 'GET' : 'POST'
  const address = `${url}/${operation}`
  return fetchJson(address, {
    method,
    ...(asked && { body: JSON.stringify({ x402Version: 2, ...asked }) }),
    headers: { ...headers, ...(await sign?.(method, address)) },
    deadlineMs,
    maxBytes: maxAnswerBytes,
  })
}
