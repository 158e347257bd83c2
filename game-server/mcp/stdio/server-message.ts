import { z } from 'zod'
import { deathSchema, refusalCodes } from '../../protocol/dungeon.ts'
import { observationSchema } from '../observation-schema.ts'

/** The code of a refusal. A code that this version does not know is replaced; the message still tells the reason. */
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

/** Parses a message of the game; undefined for messages that this program does not use. */
export function readServerMessage(text: string): ServerMessage | undefined {
  try {
    return serverMessage.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
