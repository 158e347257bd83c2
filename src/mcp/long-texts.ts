import { randomUUID } from 'node:crypto'
import { asStream } from '../http/as-stream.ts'
import { shareReads } from '../payments/ledger/share-reads.ts'

/** A text as it stands in JSON, with its quotes. */
const toJsonText = async (_name: string, body: Uint8Array): Promise<Uint8Array> =>
  Buffer.from(JSON.stringify(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)))

/**
 * Writes long texts in JSON, each once for all who read it under its name at a time: they may read as often as they like,
 * and over lines as slow as they like, and of all these answers together one is in memory.
 */
export const makeWriteLong = () => shareReads(toJsonText)

/**
 * The long texts of one answer. The protocol's library writes an answer in one piece, of its own for each reader, so it is
 * given a word in place of each text, which nobody can foresee, and the text is put there when it has written.
 */
export function makeLongTexts() {
  const id = randomUUID()
  const texts: Uint8Array[] = []
  return {
    /** The word that stands for a text. */
    put: (json: Uint8Array): string => `${id}-${texts.push(json) - 1}`,
    /** The answer with its texts, as they lie there. */
    async fill(answer: Response): Promise<Response> {
      if (texts.length === 0) return answer
      const pieces = (await answer.text()).split(new RegExp(`"${id}-(\\d+)"`))
      const parts = pieces.map((piece, at) => (at % 2 === 0 ? undefined : texts[Number(piece)]) ?? Buffer.from(piece))
      const headers = new Headers(answer.headers)
      headers.set('content-length', String(parts.reduce((sum, { byteLength }) => sum + byteLength, 0)))
      return new Response(asStream(...parts), { status: answer.status, headers })
    },
  }
}

export type LongTexts = ReturnType<typeof makeLongTexts>
