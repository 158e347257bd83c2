import { z } from 'zod'
import { validate } from '../../src/core/validate.ts'
import { kindSchema, modeSchema } from '../protocol/dungeon.ts'

/** A field that may be missing or null, because clients without a token may send null. */
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((given) => given ?? undefined)

// An unknown value is refused, not replaced by a default: nobody must play or be shown otherwise than they asked.
const join = z.object({
  type: z.literal('join'),
  name: z.string().max(64),
  kind: maybe(kindSchema).transform((kind) => kind ?? 'human'),
  resumeToken: maybe(z.string().max(128)),
  obs: maybe(z.enum(['text', 'json', 'both', 'delta'])),
  mode: maybe(modeSchema),
  watchable: maybe(z.boolean()).transform((watchable) => watchable ?? true),
})
const input = z.object({
  type: z.literal('input'),
  key: z.string().max(32),
  n: maybe(z.int().min(0)),
  if: maybe(z.int().min(0)),
})
const watch = z.object({ type: z.literal('watch'), player: maybe(z.string().max(64)) })
const say = z.object({ type: z.literal('say'), text: z.string() })
const ping = z.object({ type: z.literal('ping') })
const leave = z.object({ type: z.literal('leave') })

interface MessageType {
  readonly schema: z.ZodType<ClientMessage>
  /** The error code for a message that does not match the schema. */
  readonly code: BadMessage['code']
  /** Error codes that differ by the first wrong field. */
  readonly codes?: Readonly<Record<string, BadMessage['code']>>
}

const types = new Map<unknown, MessageType>([
  ['join', { schema: join, code: 'bad_join', codes: { name: 'bad_name', resumeToken: 'wrong_token' } }],
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
  readonly code: 'bad_json' | 'bad_type' | 'bad_name' | 'bad_key' | 'bad_join' | 'wrong_token'
  readonly message: string
}

const bad = (code: BadMessage['code'], message: string): BadMessage => ({ type: 'bad', code, message })

/** Parses one text frame. Unknown fields are ignored, so that clients may be newer than the host. */
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
  const [field] = read.faults[0]?.path ?? []
  return bad(
    type.codes?.[String(field)] ?? type.code,
    read.faults.map(({ path, detail }) => `${path.join('.')} ${detail}`).join('; '),
  )
}
