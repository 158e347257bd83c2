import { randomUUID } from 'node:crypto'
import { sha256 } from '../core/sha256.ts'
import type { ToolAnswer } from '../core/tool-answer.ts'
import { asStream } from '../http/as-stream.ts'
import { shareReads } from '../payments/ledger/share-reads.ts'

/** A text as it stands in JSON, with its quotes. */
const toJsonText = async (_name: string, body: Uint8Array): Promise<Uint8Array> =>
  Buffer.from(JSON.stringify(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)))

/** The same of what is in base64, which JSON writes as it is. */
const toJsonData = async (_name: string, data: string): Promise<Uint8Array> => Buffer.from(`"${data}"`, 'latin1')

/** The same of a text that is one already. */
const toJsonString = async (_name: string, text: string): Promise<Uint8Array> => Buffer.from(JSON.stringify(text))

/** The same of what is JSON. */
const asItIs = async (_name: string, json: string): Promise<Uint8Array> => Buffer.from(json)

/** Up to this length a text is written into each answer: a crowd of them is little. */
const longCharacters = 4096

/**
 * Writes into answers what is long, each text, picture and object once for all answers that hold it at a time: who has
 * paid may fetch them as often as they like, twenty times in each message, and over lines as slow as they like. The
 * protocol's library writes an answer in one piece, of its own for each reader, so it is given a word in place of each,
 * which nobody can foresee, and what the word stands for is put there when it has written.
 *
 * @returns what makes one answer
 */
export function makeLongTexts() {
  const [writeText, writeData] = [shareReads(toJsonText), shareReads(toJsonData)]
  const [writeString, writeObject] = [shareReads(toJsonString), shareReads(asItIs)]

  return () => {
    // In base64 as well, as the library wants what stands for a picture.
    const id = randomUUID().replaceAll('-', '')
    const texts: Uint8Array[] = []
    const put = (json: Uint8Array): string => id + (texts.push(json) - 1).toString(16).padStart(4, '0')
    const putString = async (text: string): Promise<string> =>
      text.length > longCharacters ? put(await writeString(sha256(text), text)) : text
    const putObject = async (object: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const json = JSON.stringify(object)
      // An object for the library, too.
      return json.length > longCharacters ? { [id]: put(await writeObject(sha256(json), json)) } : object
    }
    return {
      /** The word for a text; the name stands for its very bytes. */
      text: async (name: string, body: Uint8Array): Promise<string> => put(await writeText(name, body)),
      /** The same of a text that is one already; one that is not long is its own word. */
      string: putString,
      /** An answer with words for all that is long in it. */
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
      /** What was written, with everything in its place, as it lies there. */
      async fill(written: Response): Promise<Response> {
        if (texts.length === 0) return written
        const word = `"${id}([0-9a-f]{4})"`
        const pieces = (await written.text()).split(new RegExp(String.raw`\{"${id}":${word}\}|${word}`))
        // Between two pieces stand both places where a word can be, of which one has none.
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

/** What is long in one answer. */
export type LongTexts = ReturnType<ReturnType<typeof makeLongTexts>>
