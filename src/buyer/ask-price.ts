import { printable } from './printable.ts'
import { readProblem, type ShopProblem } from './read-problem.ts'
import { type Order, sendRequest } from './send-request.ts'
import { type Demand, readDemand } from './terms.ts'

/** What a shop says to a request without payment. */
export type Quote =
  | { is: 'quote'; demand: Demand }
  | { is: 'free'; headers: Headers; body: Uint8Array<ArrayBuffer> }
  | { is: 'refused'; status: number; problem: ShopProblem }
  | { is: 'unpayable'; detail: string }
  | { is: 'redirected'; location: string }
  | { is: 'unreachable'; detail: string }

/** Sends the request without payment. A 402 that says the body would be refused is a refusal: nothing is signed. */
export async function askPrice(fetcher: typeof fetch, order: Order): Promise<Quote> {
  const answer = await sendRequest(fetcher, order)
  if (answer.is === 'lost') return { is: 'unreachable', detail: answer.reason }
  const { status, headers, body } = answer
  if (status >= 200 && status < 300) return { is: 'free', headers, body }
  if (status >= 300 && status < 400)
    return { is: 'redirected', location: printable(headers.get('location') ?? 'nowhere') }
  const problem = readProblem(body)
  if (status !== 402 || problem.errors.length > 0) return { is: 'refused', status, problem }
  const demand = readDemand(headers, body)
  if (demand) return { is: 'quote', demand }
  return { is: 'unpayable', detail: 'its 402 carries no terms of x402 version 2' }
}
