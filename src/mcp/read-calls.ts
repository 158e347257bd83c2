import { z } from 'zod'

const unpaid = { 'x402/payment': undefined }
const call = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string(), _meta: z.object({ 'x402/payment': z.unknown() }).catch(unpaid) }),
})

/** What a message asks for, before the protocol's library reads it. */
export interface Calls {
  /** Messages in the body, at least 1: more where an old client sends a batch. */
  readonly messages: number
  /** The tools that are called, each with the payment that came along, unread. */
  readonly tools: readonly { readonly name: string; readonly payment: unknown }[]
  /** Whether two ask under one id; see `hasTwins`. */
  readonly hasTwins: boolean
}

const request = z.object({ id: z.union([z.string(), z.number()]), method: z.string() })

/** Whether two messages of a batch ask under one id: the library answers when each id has an answer, so one has none. */
export function hasTwins(messages: readonly unknown[]): boolean {
  const ids = messages.flatMap((message) => request.safeParse(message).data?.id ?? [])
  return new Set(ids).size < ids.length
}

/**
 * Finds out what a body calls; one that cannot be read calls nothing, and the library says what is wrong with it.
 *
 * @param most messages of a batch: of one that has more they are counted and no more, since a body has room for hundreds
 * of thousands, and a look at each would keep everybody waiting before anybody is asked to
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
