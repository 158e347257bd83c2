import { z } from 'zod'
import { deathSchema, refusalCodes } from '../../protocol/dungeon.ts'
import { observationSchema } from '../observation-schema.ts'

/** Why the game says no; a reason that is newer than this program is still told by its message. */
export const refusalCode = z.enum(refusalCodes).catch('server_full')

const serverMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('welcome'),
    you: z.object({ name: z.string() }),
    resumeToken: z.string(),
    resumed: z.boolean(),
    requested: z.string().optional(),
  }),
  observationSchema.extend({ type: z.literal('obs'), seq: z.int(), ack: z.int(), text: z.string() }),
  deathSchema.extend({ type: z.literal('death'), card: z.string() }),
  z.object({
    type: z.literal('error'),
    code: refusalCode,
    message: z.string(),
    n: z.int().optional(),
    keys: z.array(z.string()).optional(),
    retryAfterMs: z.int().optional(),
  }),
])

export type ServerMessage = z.output<typeof serverMessage>

/** What the game says over its socket, as far as this program listens. */
export function readServerMessage(text: string): ServerMessage | undefined {
  try {
    return serverMessage.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
