import { z } from 'zod'

/** `/healthz`. */
export const livenessSchema = z.object({ ok: z.literal(true) })

/** `/readyz`: the whole, and its parts. */
export const readinessSchema = z.object({
  ready: z.boolean(),
  ledger: z.boolean(),
  facilitator: z.boolean(),
  settling: z.boolean(),
  gas: z.object({ settlementsLeft: z.number(), isLow: z.boolean() }).optional(),
})
