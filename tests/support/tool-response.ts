import { z } from 'zod'
import type { ToolAnswer } from '../../src/core/tool-answer.ts'

/** The transports by which a product can be bought. */
export type Transport = 'http' | 'mcp'

const standing = z.object({ status: z.number() })

/** The result of a tool as an HTTP response, so that one property can be tested for both transports. */
export function toResponse({ content, structuredContent, isError, _meta }: ToolAnswer): Response {
  const [first] = content
  const text = first?.type === 'text' ? first.text : ''
  return new Response(text, {
    status: isError ? standing.parse(structuredContent).status : 200,
    headers: { 'x-meta': JSON.stringify(_meta ?? {}) },
  })
}

/** The value of `_meta["x402/payment"]` for a `PAYMENT-SIGNATURE`. */
export const toToolPayment = (header: string | undefined): unknown =>
  header === undefined ? undefined : JSON.parse(Buffer.from(header, 'base64').toString())
