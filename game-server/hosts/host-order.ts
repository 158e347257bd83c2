import { z } from 'zod'
import { kindSchema, modeSchema } from '../protocol/dungeon.ts'

const order = z.discriminatedUnion('order', [
  z.object({
    order: z.literal('join'),
    request: z.object({
      name: z.string(),
      kind: kindSchema,
      token: z.string().optional(),
      mode: modeSchema.optional(),
    }),
  }),
  z.object({ order: z.literal('look'), token: z.string(), full: z.boolean().optional() }),
  z.object({ order: z.literal('act'), token: z.string(), key: z.string() }),
  z.object({ order: z.literal('live') }),
  z.object({ order: z.literal('announce'), text: z.string() }),
  z.object({ order: z.literal('shout'), shout: z.object({ by: z.string(), text: z.string() }) }),
  z.object({
    order: z.literal('tools'),
    method: z.enum(['POST', 'DELETE']),
    caller: z.string(),
    headers: z.array(z.tuple([z.string(), z.string()])),
    body: z.string(),
  }),
  z.object({ order: z.literal('ruled'), kicked: z.string().optional() }),
])
/** A request from one host to another on the same database. */
export type HostOrder = z.output<typeof order>

export const hostRequest = z.object({ ask: order })
