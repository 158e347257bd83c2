import { z } from 'zod'

const call = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) })

/** What a message asks for, before the protocol's library reads it. */
export interface Calls {
  /** Messages in the body: more than one where an old client sends a batch. */
  readonly messages: number
  /** Names of the tools that are called. */
  readonly tools: readonly string[]
}

/** Finds out what a body calls; one that cannot be read calls nothing, and the library says what is wrong with it. */
export function readCalls(body: string): Calls {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return { messages: 1, tools: [] }
  }
  const messages: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  const tools = messages.flatMap((message) => {
    const read = call.safeParse(message)
    return read.success ? [read.data.params.name] : []
  })
  return { messages: messages.length, tools }
}
