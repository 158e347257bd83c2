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

/**
 * Writes into answers what is long, each text and each picture once for all answers that hold it at a time: who has paid
 * may fetch them as often as they like, and over lines as slow as they like. The protocol's library writes an answer in
 * one piece, of its own for each reader, so it is given a word in place of each, which nobody can foresee, and what the
 * word stands for is put there when it has written.
 *
 * @returns what makes one answer
 */
export function makeLongTexts() {
  const [writeText, writeData] = [shareReads(toJsonText), shareReads(toJsonData)]

  return () => {
    // In base64 as well, as the library wants what stands for a picture.
    const id = randomUUID().replaceAll('-', '')
    const texts: Uint8Array[] = []
    const put = (json: Uint8Array): string => id + (texts.push(json) - 1).toString(16).padStart(4, '0')
    return {
      /** The word for a text; the name stands for its very bytes. */
      text: async (name: string, body: Uint8Array): Promise<string> => put(await writeText(name, body)),
      /** An answer with words for its pictures and sounds. */
      media: async (answer: ToolAnswer): Promise<ToolAnswer> => ({
        ...answer,
        content: await Promise.all(
          answer.content.map(async (part) =>
            'data' in part ? { ...part, data: put(await writeData(sha256(part.data), part.data)) } : part,
          ),
        ),
      }),
      /** What was written, with everything in its place, as it lies there. */
      async fill(written: Response): Promise<Response> {
        if (texts.length === 0) return written
        const pieces = (await written.text()).split(new RegExp(`"${id}([0-9a-f]{4})"`))
        const parts = pieces.map(
          (piece, at) => (at % 2 === 0 ? undefined : texts[Number.parseInt(piece, 16)]) ?? Buffer.from(piece),
        )
        const headers = new Headers(written.headers)
        headers.set('content-length', String(parts.reduce((sum, { byteLength }) => sum + byteLength, 0)))
        return new Response(asStream(...parts), { status: written.status, headers })
      },
    }
  }
}

/** What is long in one answer. */
export type LongTexts = ReturnType<ReturnType<typeof makeLongTexts>>
