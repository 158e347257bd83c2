import type { IncomingHttpHeaders } from 'node:http'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { accepts } from '../http/negotiate.ts'

/** A message whose result depends on nothing but the message itself. */
export interface PlainMessage {
  /** The protocol revisions of its sender: `legacy` for 2025, `modern` for 2026. */
  readonly era: Era
  readonly id: string | number
  readonly asks:
    | { readonly is: 'list' }
    | { readonly is: 'call'; readonly name: string; readonly given: Record<string, unknown> | undefined }
}
export type Era = 'legacy' | 'modern'

/** The protocol revision in which each message contains what earlier ones negotiated at first. */
export const modernRevision = '2026-07-28'

const id = z.union([z.string(), z.int()])
const legacyMeta = z.strictObject({ progressToken: id.optional() }).optional()
const modernMeta = z.strictObject({
  progressToken: id.optional(),
  'io.modelcontextprotocol/protocolVersion': z.literal(modernRevision),
  'io.modelcontextprotocol/clientInfo': z.strictObject({
    name: z.string(),
    version: z.string(),
    title: z.string().optional(),
  }),
  'io.modelcontextprotocol/clientCapabilities': z.strictObject({}),
})

const request = { jsonrpc: z.literal('2.0'), id }
const callOf = <Meta extends z.ZodType>(_meta: Meta) =>
  z.strictObject({
    ...request,
    method: z.literal('tools/call'),
    params: z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional(), _meta }),
  })
const listOf = <Params extends z.ZodType>(params: Params) =>
  z.strictObject({ ...request, method: z.literal('tools/list'), params })

const schemas = {
  legacy: z.discriminatedUnion('method', [
    callOf(legacyMeta),
    listOf(z.strictObject({ _meta: legacyMeta }).optional()),
  ]),
  modern: z.discriminatedUnion('method', [callOf(modernMeta), listOf(z.strictObject({ _meta: modernMeta }))]),
}

/** The usual spellings of the type; other spellings are left to the library. */
const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i
/** Headers of requests that sign in, resume a session or come from a page; these are left to the library. */
const telling = ['authorization', 'origin', 'mcp-session-id', 'last-event-id'] as const
const spoken: ReadonlySet<unknown> = new Set([undefined, ...SUPPORTED_PROTOCOL_VERSIONS])

/**
 * Reads a message if it is one of the two that agents send most, in the usual form, without payment or sign-in.
 * Undefined for everything else, valid or not, which is left to the MCP library.
 */
export function readPlainMessage(headers: IncomingHttpHeaders, body: string): PlainMessage | undefined {
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name } = headers
  if (!jsonType.test(headers['content-type'] ?? '') || !accepts(headers.accept ?? null, 'application/json'))
    return undefined
  if (telling.some((header) => headers[header] !== undefined)) return undefined
  const era = version === modernRevision ? 'modern' : 'legacy'
  if (era === 'legacy' && !(spoken.has(version) && method === undefined && name === undefined)) return undefined
  const message = schemas[era].safeParse(parse(body)).data
  if (message === undefined) return undefined
  const called = message.method === 'tools/call' ? message.params.name : undefined
  if (era === 'modern' && (method !== message.method || name !== called)) return undefined
  return {
    era,
    id: message.id,
    asks:
      message.method === 'tools/call'
        ? { is: 'call', name: message.params.name, given: message.params.arguments }
        : { is: 'list' },
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
