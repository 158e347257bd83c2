import { createHash, randomUUID } from 'node:crypto'
import { text as readText } from 'node:stream/consumers'
import type { StorageSettings } from '../../config/storage-settings.ts'
import { readCapped } from '../../http/read-capped.ts'
import { makeAskStorage, type Patience, pause, usualPatience } from './ask-storage.ts'
import type { ChangedObject, ListedObject, ObjectFacts, ObjectStore, PutCondition } from './object-store.ts'
import { readElements } from './read-elements.ts'
import { openStoredStream, readSize } from './read-stored.ts'
import { StorageFailed } from './storage-failed.ts'
import { makeUploads } from './upload-parts.ts'

const usualMaxBytes = 256 * 1024 * 1024
/** Status of a storage without conditional writes. It is written to without conditions: the last writer wins. */
const noConditions = 501
/** How often an object that is known to exist is requested, because some storages show new objects late. */
const lateTries = 5
const keyPattern = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/

const toHeaders = (condition: PutCondition | undefined): Record<string, string> => {
  if (condition === undefined) return {}
  return condition === 'new' ? { 'if-none-match': '*' } : { 'if-match': condition.etag }
}

/** The facts of an object, from the headers of a response. */
function toFacts(response: Response): ObjectFacts {
  const { headers } = response
  return {
    bytes: readSize(response),
    changedAt: Date.parse(headers.get('last-modified') ?? ''),
    etag: headers.get('etag') ?? '',
    sha256: headers.get('x-amz-meta-sha256') ?? undefined,
  }
}

/** The body and tag of a response; undefined when the object does not exist. */
async function readObject(response: Response, maxBytes: number): Promise<ChangedObject | undefined> {
  if (response.status === 404) return undefined
  const bytes = await readCapped(response.body, maxBytes)
  if (!bytes) throw new StorageFailed('damaged', `holds more than ${maxBytes} bytes where less was kept`)
  return { bytes, etag: response.headers.get('etag') ?? '' }
}

/**
 * Opens an S3-compatible storage. No request is sent before its first use.
 *
 * @example await openObjectStore(config.storage).put('products/0f…', bytes)
 */
export function openObjectStore(settings: StorageSettings, patience: Patience = usualPatience): ObjectStore {
  const storage = makeAskStorage(settings, patience)
  const { ask, askOnce, pathOf, prefix } = storage

  const assertKey = (key: string): void => {
    if (!keyPattern.test(key)) throw new Error(`${key} is not the key of an object`)
  }

  const findFacts = async (response: Response) => (response.status === 404 ? undefined : toFacts(response))

  /** Whether the stored object comes from the write with this id, and not from an earlier write of the same bytes. */
  const isOurs =
    (key: string, id: string, look = askOnce) =>
    async (): Promise<true | undefined> =>
      look({ method: 'HEAD', key, accepts: [404] }, async ({ headers }) =>
        headers.get('x-amz-meta-put') === id ? true : undefined,
      )

  const uploads = makeUploads({ ask, prefix, isOurs })

  async function put(key: string, bytes: Uint8Array, condition?: PutCondition): Promise<boolean> {
    assertKey(key)
    const id = randomUUID()
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const about = { 'content-type': 'application/octet-stream', 'x-amz-meta-sha256': sha256, 'x-amz-meta-put': id }
    const headers = { ...about, ...toHeaders(condition) }
    // 409: another client writes it at this moment. 404: the object that should be replaced is gone.
    const accepts = condition === undefined ? [] : [404, 409, 412, noConditions]
    const question = { method: 'PUT', key, headers, body: bytes, accepts } as const
    const answer = await ask(
      question,
      async ({ ok, status, headers }) => {
        // Without a tag, this is a page from a proxy in front of the storage, and nothing was stored.
        if (ok && !headers.has('etag'))
          throw new StorageFailed('unavailable', 'answered without a word of what it kept')
        return status === noConditions ? status : ok
      },
      isOurs(key, id),
    )
    if (answer === noConditions) return put(key, bytes)
    // The condition may fail because of an attempt of ours that succeeded and whose response was lost.
    return answer || (await isOurs(key, id, ask)()) === true
  }

  async function head(key: string): Promise<ObjectFacts | undefined> {
    assertKey(key)
    return ask({ method: 'HEAD', key, accepts: [404] }, findFacts)
  }

  async function remove(key: string): Promise<void> {
    assertKey(key)
    await ask({ method: 'DELETE', key, accepts: [404] }, async () => {})
  }

  return {
    put,
    head,
    remove,
    async write(key, source) {
      assertKey(key)
      await uploads.write(key, source, put)
    },
    async get(key, { maxBytes = usualMaxBytes, isExpected = false } = {}) {
      assertKey(key)
      for (let tries = 0; ; tries++) {
        const found = await ask({ method: 'GET', key, accepts: [404] }, (answer) => readObject(answer, maxBytes))
        if (found || !isExpected || tries + 1 === lateTries) return found?.bytes
        await pause(tries)
      }
    },
    async getChanged(key, etag) {
      assertKey(key)
      const headers: Record<string, string> = etag === undefined ? {} : { 'if-none-match': etag }
      return ask({ method: 'GET', key, headers, accepts: [304, 404] }, async (answer) =>
        answer.status === 304 ? ('unchanged' as const) : await readObject(answer, usualMaxBytes),
      )
    },
    async open(key, range) {
      assertKey(key)
      return openStoredStream(storage, { key, range, idleMs: patience.attemptMs })
    },
    async touch(key) {
      const found = await head(key)
      if (!found) return false
      const headers = {
        'content-type': 'application/octet-stream',
        'x-amz-copy-source': pathOf(key),
        'x-amz-metadata-directive': 'REPLACE',
        ...(found.sha256 !== undefined && { 'x-amz-meta-sha256': found.sha256 }),
      }
      return ask({ method: 'PUT', key, headers, accepts: [404] }, async (answer) => {
        // A copy may fail after its response has begun with status 200.
        if (answer.ok && !(await answer.text()).includes('<CopyObjectResult'))
          throw new StorageFailed('unavailable', 'could not copy')
        return answer.ok
      })
    },
    async removeUntouched({ key, changedAt }) {
      const found = await head(key)
      // Listings may have fractions of a second, `last-modified` has none.
      if (found && Math.floor(found.changedAt / 1000) === Math.floor(changedAt / 1000)) await remove(key)
    },
    list: (start) => list(start),
    sweep: (start, before) => uploads.sweep(start, before),
  }

  async function* list(start: string): AsyncGenerator<ListedObject> {
    let token: string | undefined
    const read = new Set<string>()
    do {
      const query: Record<string, string> = {
        'list-type': '2',
        prefix: prefix + start,
        ...(token !== undefined && { 'continuation-token': token }),
      }
      const { found, next } = await ask({ method: 'GET', query }, readListing)
      for (const { Key = '', Size, LastModified = '' } of found)
        yield { key: Key.slice(prefix.length), bytes: Number(Size), changedAt: Date.parse(LastModified) }
      // A token that repeats would make this loop endless. Ending the list here would be wrong too, because pruning
      // must not act on an incomplete list.
      if (next !== undefined && read.has(next))
        throw new StorageFailed('unavailable', 'leads from its list to a page of it that was read')
      if (next !== undefined) read.add(next)
      token = next
    } while (token !== undefined)
  }
}

/**
 * One page of a list. Pruning treats what is not listed as absent, so a body that is no list, and a truncated list
 * without a continuation token, are errors and not an empty or complete list.
 */
async function readListing({ body }: Response) {
  const xml = body ? await readText(body) : ''
  const [about] = readElements(xml, 'ListBucketResult')
  if (!about) throw new StorageFailed('unavailable', 'answered without a list')
  const { IsTruncated, NextContinuationToken } = about
  if (IsTruncated === 'true' && !NextContinuationToken)
    throw new StorageFailed('refused', 'does not say how its list goes on')
  return { found: readElements(xml, 'Contents'), next: IsTruncated === 'true' ? NextContinuationToken : undefined }
}
