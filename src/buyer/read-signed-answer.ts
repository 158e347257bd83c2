import { readProblem, type ShopProblem } from './read-problem.ts'
import type { Answer } from './send-request.ts'
import { type Demand, readDemand } from './terms.ts'

/** What a response to a signed request means for the money and for the next step. */
export type SignedAnswer =
  | { is: 'delivered'; headers: Headers; body: Uint8Array<ArrayBuffer> }
  /** 402: the shop says that it took nothing. It can still collect the signature. */
  | { is: 'declined'; reason: string; demand: Demand | undefined }
  /** The shop does not serve this request, with or without payment. */
  | { is: 'refused'; status: number; problem: ShopProblem }
  | { is: 'redirected'; location: string }
  | { is: 'again'; why: string; problem?: ShopProblem; retryAfter?: string }

/**
 * Applies the published rule for buyers: after a 5xx or no response, send the same signature again; after a 402, sign a
 * new one.
 */
export function readSignedAnswer(answer: Answer): SignedAnswer {
  if (answer.is === 'lost') return { is: 'again', why: answer.reason }
  const { status, headers, body } = answer
  if (status >= 200 && status < 300) return { is: 'delivered', headers, body }
  if (status >= 300 && status < 400) return { is: 'redirected', location: headers.get('location') ?? 'nowhere' }
  const problem = readProblem(body)
  if (status === 402) {
    const demand = readDemand(headers, body)
    const error = demand?.challenge.error
    const reason = error === 'newer_version' ? `${error}: ${problem.detail ?? ''}` : error
    return { is: 'declined', reason: reason ?? problem.detail ?? 'no reason given', demand }
  }
  const retryAfter = headers.get('retry-after')
  const isBusy = status === 409 && (retryAfter !== null || problem.kind === 'payment-in-progress')
  if (status < 500 && !isBusy && ![408, 425, 429].includes(status)) return { is: 'refused', status, problem }
  const why = `${status}${problem.detail ? ` ${problem.detail}` : ''}`
  return { is: 'again', why, problem, ...(retryAfter !== null && { retryAfter }) }
}
