import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { AskStorage } from './ask-storage.ts'
import { readElements } from './read-elements.ts'
import { StorageFailed } from './storage-failed.ts'

/** Of each part but the last; services take 5 MiB and more, and 10,000 of them. */
const partBytes = 8 * 1024 * 1024

interface Deps extends Pick<AskStorage, 'ask' | 'prefix'> {
  readonly isOurs: (key: string, id: string) => () => Promise<true | undefined>
}

interface Part {
  readonly number: number
  readonly etag: string
}

const readXml = async ({ body }: Response): Promise<string> => (body ? await text(body) : '')

/** Pieces of any size as pieces of one size, the last of which is smaller. */
async function* cut(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const piece of source) {
    for (let from = 0; from < piece.byteLength; ) {
      const taken = piece.subarray(from, from + partBytes - bytes)
      held.push(taken)
      bytes += taken.byteLength
      from += taken.byteLength
      if (bytes < partBytes) continue
      yield Buffer.concat(held)
      held = []
      bytes = 0
    }
  }
  yield Buffer.concat(held)
}

/** Writes what is too large for one request in parts, which are seen once they are all there. */
export function makeUploads({ ask, prefix, isOurs }: Deps) {
  async function begin(key: string, id: string): Promise<string> {
    const headers = { 'content-type': 'application/octet-stream', 'x-amz-meta-put': id }
    const xml = await ask({ method: 'POST', key, query: { uploads: '' }, headers }, readXml)
    const uploadId = readElements(xml, 'InitiateMultipartUploadResult')[0]?.['UploadId']
    if (!uploadId) throw new StorageFailed('refused', 'takes no uploads in parts')
    return uploadId
  }

  async function sendPart(key: string, uploadId: string, number: number, body: Uint8Array): Promise<Part> {
    const query = { partNumber: String(number), uploadId }
    const etag = await ask({ method: 'PUT', key, query, body }, async ({ headers }) => headers.get('etag') ?? '')
    return { number, etag }
  }

  async function finish(key: string, uploadId: string, parts: readonly Part[], id: string): Promise<void> {
    const lines = parts.map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`)
    const body = Buffer.from(`<CompleteMultipartUpload>${lines.join('')}</CompleteMultipartUpload>`)
    const question = {
      method: 'POST',
      key,
      query: { uploadId },
      headers: { 'content-type': 'application/xml' },
      body,
    } as const
    await ask(
      question,
      async (answer) => {
        // It may fail after its answer has begun.
        if (!(await readXml(answer)).includes('<CompleteMultipartUploadResult'))
          throw new StorageFailed('unavailable', 'could not put the parts together')
        return true as const
      },
      isOurs(key, id),
    )
  }

  const giveUp = (key: string, uploadId: string): Promise<void> =>
    ask({ method: 'DELETE', key, query: { uploadId }, accepts: [404] }, async () => {})

  return {
    /** @param put for what turns out to be small */
    async write(
      key: string,
      source: AsyncIterable<Uint8Array>,
      put: (key: string, bytes: Uint8Array) => Promise<boolean>,
    ): Promise<void> {
      const id = randomUUID()
      const parts: Part[] = []
      let uploadId: string | undefined
      try {
        for await (const piece of cut(source)) {
          if (uploadId === undefined && piece.byteLength < partBytes) {
            await put(key, piece)
            return
          }
          uploadId ??= await begin(key, id)
          if (piece.byteLength > 0) parts.push(await sendPart(key, uploadId, parts.length + 1, piece))
        }
        if (uploadId !== undefined) await finish(key, uploadId, parts, id)
      } catch (error) {
        // What cannot be given up now is swept later.
        if (uploadId !== undefined) await giveUp(key, uploadId).catch(() => {})
        throw error
      }
    },

    /** Gives up uploads that began before this time; a storage that does not tell of them has rules of its own. */
    async sweep(start: string, before: number): Promise<void> {
      const accepts = [400, 403, 404, 405, 501]
      const xml = await ask(
        { method: 'GET', query: { uploads: '', prefix: prefix + start }, accepts },
        async (answer) => (answer.ok ? await readXml(answer) : ''),
      )
      if (xml === '') return
      for (const { Key = '', UploadId = '', Initiated = '' } of readElements(xml, 'Upload'))
        if (Key.startsWith(prefix + start) && Date.parse(Initiated) < before)
          await giveUp(Key.slice(prefix.length), UploadId)
    },
  }
}
