import { z } from 'zod'
import { validate } from '../../src/core/validate.ts'
import { modeSchema } from '../protocol/dungeon.ts'

const join = z.object({
  type: z.literal('join'),
  name: z.string().max(64),
  kind: z.enum(['human', 'agent']).catch('human'),
  resumeToken: z.string().max(128).optional().catch(undefined),
  obs: z.enum(['text', 'json', 'both', 'delta']).optional().catch(undefined),
  mode: modeSchema.optional().catch(undefined),
  watchable: z.boolean().catch(true),
})
const input = z.object({
  type: z.literal('input'),
  key: z.string().max(32),
  n: z.int().min(0).optional().catch(undefined),
  if: z.int().min(0).optional().catch(undefined),
})
const watch = z.object({ type: z.literal('watch'), player: z.string().max(64).optional() })
const say = z.object({ type: z.literal('say'), text: z.string() })
const ping = z.object({ type: z.literal('ping') })
const leave = z.object({ type: z.literal('leave') })

/** What each type must look like, and the error code when it does not. */
const types = new Map<unknown, { schema: z.ZodType<ClientMessage>; code: 'bad_name' | 'bad_key' | 'bad_json' }>([
  ['join', { schema: join, code: 'bad_name' }],
  ['input', { schema: input, code: 'bad_key' }],
  ['watch', { schema: watch, code: 'bad_name' }],
  ['say', { schema: say, code: 'bad_json' }],
  ['ping', { schema: ping, code: 'bad_json' }],
  ['leave', { schema: leave, code: 'bad_json' }],
])

export type JoinMessage = z.output<typeof join>
export type InputMessage = z.output<typeof input>
export type WatchMessage = z.output<typeof watch>
export type ClientMessage =
  | JoinMessage
  | InputMessage
  | WatchMessage
  | z.output<typeof say>
  | z.output<typeof ping>
  | z.output<typeof leave>

export interface BadMessage {
  readonly type: 'bad'
  readonly code: 'bad_json' | 'bad_type' | 'bad_name' | 'bad_key'
  readonly message: string
}

const bad = (code: BadMessage['code'], message: string): BadMessage => ({ type: 'bad', code, message })

/** Reads one text frame. Fields that are not known are ignored, so that clients may be newer than the host. */
export function readMessage(text: string): ClientMessage | BadMessage {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return bad('bad_json', 'send one JSON object per text frame')
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return bad('bad_json', 'send one JSON object per text frame')
  const type = types.get('type' in message ? message.type : undefined)
  if (!type) return bad('bad_type', `type must be one of ${[...types.keys()].join(', ')}`)
  const read = validate(type.schema, message)
  if (read.is === 'valid') return read.value
  return bad(type.code, read.faults.map(({ path, detail }) => `${path.join('.')} ${detail}`).join('; '))
}
