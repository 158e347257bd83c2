import { z } from 'zod'

const unpaid = { 'x402/payment': undefined }
const call = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string(), _meta: z.object({ 'x402/payment': z.unknown() }).catch(unpaid) }),
})

/** What a request body calls, read before the MCP library sees it. */
export interface Calls {
  /** The number of messages in the body, at least 1; more where an old client sends a batch. */
  readonly messages: number
  /** The called tools, each with its payment, not validated. */
  readonly tools: readonly { readonly name: string; readonly payment: unknown }[]
  /** Whether two messages have the same id; see `hasTwins`. */
  readonly hasTwins: boolean
}

const request = z.object({ id: z.union([z.string(), z.number()]), method: z.string() })

/**
 * Whether two messages of a batch have the same id. The library waits for a result for each id, so one of the two would
 * get none.
 */
export function hasTwins(messages: readonly unknown[]): boolean {
  const ids = messages.flatMap((message) => request.safeParse(message).data?.id ?? [])
  return new Set(ids).size < ids.length
}

/**
 * Reads the calls in a body. A body that cannot be parsed has none; the library reports what is wrong with it.
 *
 * @param most the largest number of messages in a batch. The messages of a larger one are only counted, because a body
 * has room for hundreds of thousands, and reading each would block the event loop before any limit applies
 */
export function readCalls(body: string, most: number): Calls {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return { messages: 1, tools: [], hasTwins: false }
  }
  const messages: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  if (messages.length > most) return { messages: messages.length, tools: [], hasTwins: false }
  const tools = messages.flatMap((message) => {
    const read = call.safeParse(message)
    if (!read.success) return []
    const { name, _meta } = read.data.params
    return [{ name, payment: _meta['x402/payment'] }]
  })
  return { messages: Math.max(1, messages.length), tools, hasTwins: hasTwins(messages) }
}
