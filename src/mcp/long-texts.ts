import { randomUUID } from 'node:crypto'
import { sha256 } from '../core/sha256.ts'
import type { ToolAnswer } from '../core/tool-answer.ts'
import { asStream } from '../http/as-stream.ts'
import { shareReads } from '../payments/ledger/share-reads.ts'

/** Encodes a UTF-8 body as a JSON string. */
const toJsonText = async (_name: string, body: Uint8Array): Promise<Uint8Array> =>
  Buffer.from(JSON.stringify(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)))

/** Encodes base64 as a JSON string; it needs no escapes. */
const toJsonData = async (_name: string, data: string): Promise<Uint8Array> => Buffer.from(`"${data}"`, 'latin1')

/** Encodes a text as a JSON string. */
const toJsonString = async (_name: string, text: string): Promise<Uint8Array> => Buffer.from(JSON.stringify(text))

/** Encodes an object that is JSON already. */
const asItIs = async (_name: string, json: string): Promise<Uint8Array> => Buffer.from(json)

/** Texts up to this length are written into each response: even many copies are small. */
const longCharacters = 4096

/**
 * Inserts long texts, pictures and objects into responses so that responses at the same time share one copy of each.
 * Otherwise memory would run out: buyers may fetch them as often as they like, twenty times in each message, over slow
 * connections, and the MCP library writes each response as a string of its own. So the library gets a short placeholder
 * with a random id instead, and `fill` replaces it by the real bytes afterwards.
 *
 * @returns a function to call for each response
 */
export function makeLongTexts() {
  const [writeText, writeData] = [shareReads(toJsonText), shareReads(toJsonData)]
  const [writeString, writeObject] = [shareReads(toJsonString), shareReads(asItIs)]

  return () => {
    // Only hexadecimal digits, so that a placeholder is valid base64 and the library accepts it for a picture.
    const id = randomUUID().replaceAll('-', '')
    const texts: Uint8Array[] = []
    const put = (json: Uint8Array): string => id + (texts.push(json) - 1).toString(16).padStart(4, '0')
    const putString = async (text: string): Promise<string> =>
      text.length > longCharacters ? put(await writeString(sha256(text), text)) : text
    const putObject = async (object: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const json = JSON.stringify(object)
      // A placeholder of an object has to be an object, too.
      return json.length > longCharacters ? { [id]: put(await writeObject(sha256(json), json)) } : object
    }
    return {
      /** The placeholder of a body; `name` has to identify exactly these bytes. */
      text: async (name: string, body: Uint8Array): Promise<string> => put(await writeText(name, body)),
      /** The placeholder of a text; a short text is returned as it is. */
      string: putString,
      /** The result of a tool with placeholders for everything long in it. */
      lighten: async (answer: ToolAnswer): Promise<ToolAnswer> => ({
        ...answer,
        content: await Promise.all(
          answer.content.map(async (part) => {
            if ('data' in part) return { ...part, data: put(await writeData(sha256(part.data), part.data)) }
            return part.type === 'text' ? { ...part, text: await putString(part.text) } : part
          }),
        ),
        ...(answer.structuredContent && { structuredContent: await putObject(answer.structuredContent) }),
      }),
      /** The response of the library with its placeholders replaced. */
      async fill(written: Response): Promise<Response> {
        if (texts.length === 0) return written
        const word = `"${id}([0-9a-f]{4})"`
        const pieces = (await written.text()).split(new RegExp(String.raw`\{"${id}":${word}\}|${word}`))
        // The pattern has two groups, of which one matches: each text piece is followed by two places, one of them
        // empty.
        const parts = pieces.flatMap((piece: string | undefined, at) => {
          if (at % 3 === 0) return Buffer.from(piece ?? '')
          return (piece !== undefined && texts[Number.parseInt(piece, 16)]) || []
        })
        const headers = new Headers(written.headers)
        headers.set('content-length', String(parts.reduce((sum, { byteLength }) => sum + byteLength, 0)))
        return new Response(asStream(...parts), { status: written.status, headers })
      },
    }
  }
}

/** The long texts of one response. */
export type LongTexts = ReturnType<ReturnType<typeof makeLongTexts>>
