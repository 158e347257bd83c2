import { z } from 'zod'

const supportedAnswer = z.object({
  kinds: z.array(z.object({ x402Version: z.number(), scheme: z.string(), network: z.string() })),
})

/**
 * Whether a response of `/supported` lists our kind of payment (x402 v2, `exact`) on a network; undefined when it is an
 * error or has another form.
 */
export function settlesOurs({ status, json }: { status: number; json: unknown }, network: string): boolean | undefined {
  const read = supportedAnswer.safeParse(json)
  if (status >= 400 || !read.success) return undefined
  return read.data.kinds.some((kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network)
}
