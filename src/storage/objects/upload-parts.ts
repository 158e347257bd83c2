import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { AskStorage } from './ask-storage.ts'
import { readElements } from './read-elements.ts'
import { StorageFailed } from './storage-failed.ts'

/** Size of each part but the last. S3 takes parts of at least 5 MiB, and at most 10,000 of them. */
const partBytes = 8 * 1024 * 1024

interface Deps extends Pick<AskStorage, 'ask' | 'prefix'> {
  readonly isOurs: (key: string, id: string) => () => Promise<true | undefined>
}

interface Part {
  readonly number: number
  readonly etag: string
}

const readXml = async ({ body }: Response): Promise<string> => (body ? await text(body) : '')

/** Cuts a stream into pieces of `partBytes`; the last one is smaller, perhaps empty. */
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

/** Writes objects that are too large for one request in parts; they are visible once all parts are stored. */
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
        // This may fail after its response has begun with status 200.
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
    /** @param put stores content that turns out to be smaller than one part */
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
        // An upload that cannot be aborted now is aborted by `sweep` later.
        if (uploadId !== undefined) await giveUp(key, uploadId).catch(() => {})
        throw error
      }
    },

    /** Aborts uploads that began before this time (ms since 1970). A storage that lists none removes them by itself. */
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
