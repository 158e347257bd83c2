import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { isSigned } from './verify-signature.ts'

/** A fault that one request meets. */
export type StorageFault =
  | { is: 'slow'; ms: number }
  /** Accepts the request and never responds. */
  | { is: 'silent' }
  | { is: 'refused'; status: number; code: string }
  /** The connection ends in the middle of the request. */
  | { is: 'half-sent' }
  /** Executes the request, but the response is lost. */
  | { is: 'answer-lost' }
  /** The response breaks off in the middle. */
  | { is: 'half-answered' }
  /** The response stalls in the middle, on a connection that stays open. */
  | { is: 'stalled' }
  /** One byte of the response is wrong. */
  | { is: 'wrong-byte' }
  /** The response has another range than requested. */
  | { is: 'other-part' }
  /** The response does not say its length, as from a proxy that passes bodies on in chunks. */
  | { is: 'unmeasured' }
  /** An existing object is not visible yet. */
  | { is: 'late' }
  /** A proxy in front of the storage responds with a page of its own and status 200. */
  | { is: 'page' }
  /** A list that ends after its first page, and says that there is more. */
  | { is: 'cut-list' }
  /** A list whose pages all lead to the same next page. */
  | { is: 'endless-list' }

/** A request that arrived; `key` is without the bucket. */
export interface StorageRequest {
  readonly method: string
  readonly key: string
  readonly query: URLSearchParams
}

export const storageKeys = { STORAGE_ACCESS_KEY_ID: 'S3RVER', STORAGE_SECRET_ACCESS_KEY: 'S3RVER' } as const
const bucket = 'press'
/** Entries per page of a list, so low that short lists have several pages. */
const pageSize = 3

interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

function cutOut({ headers, body }: Answer, first: number, last = ''): Answer {
  if (first >= body.length) return refusal(416, 'InvalidRange')
  const part = body.subarray(first, last === '' ? undefined : Number(last) + 1)
  const range = `bytes ${first}-${first + part.length - 1}/${body.length}`
  return { status: 206, headers: { ...headers, 'content-range': range }, body: part }
}

const refusal = (status: number, code: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`),
})

const withoutToken = (answer: Answer): Answer => ({
  ...answer,
  body: Buffer.from(answer.body.toString().replace(/<NextContinuationToken>.*<\/NextContinuationToken>/, '')),
})

const withOneToken = (answer: Answer): Answer => ({
  ...answer,
  body: Buffer.from(
    answer.body
      .toString()
      .replace(
        /<NextContinuationToken>.*<\/NextContinuationToken>/,
        '<NextContinuationToken>x</NextContinuationToken>',
      ),
  ),
})

const page: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html><body><h1>We will be back soon</h1></body></html>'),
}

/**
 * A real S3 server on this machine behind a front that can fail. The front adds what S3 does and this server does not:
 * it accepts only signed requests and complete bodies with the right checksum, and supports conditional writes, all
 * ranges, lists in pages, and aborted uploads.
 */
export async function startObjectServer() {
  const directory = mkdtempSync(join(tmpdir(), 'farthing-s3-'))
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: bucket }] }
  const s3 = new S3rver(options)
  const { port: s3Port } = await s3.run()
  const requests: StorageRequest[] = []
  const state: { fault: (request: StorageRequest, nth: number) => StorageFault | undefined } = {
    fault: () => undefined,
  }
  let writing: Promise<unknown> = Promise.resolve()
  /** Runs writes one after the other, so that conditions hold and no request sees half of an object. */
  function inTurn(work: () => Promise<Answer>): Promise<Answer> {
    const mine = writing.then(work)
    writing = mine.catch(() => {})
    return mine
  }

  async function ask(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Buffer,
  ): Promise<Answer> {
    const sent = { method, headers, ...(body && body.length > 0 && { body: new Uint8Array(body) }) }
    const response = await fetch(`http://127.0.0.1:${s3Port}${path}`, sent)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    }
  }

  /** Whether a conditional write may proceed; S3 guarantees that no other write comes in between. */
  async function holds(path: string, headers: IncomingHttpHeaders): Promise<boolean> {
    const { 'if-none-match': none, 'if-match': match } = headers
    if (none === undefined && match === undefined) return true
    const { status, headers: found } = await ask('HEAD', path)
    return none === '*' ? status === 404 : status === 200 && found['etag'] === match
  }

  async function list(path: string, query: URLSearchParams): Promise<Answer> {
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString()
    const old = new URLSearchParams({ prefix: query.get('prefix') ?? '', marker: after, 'max-keys': String(pageSize) })
    const { status, headers, body } = await ask('GET', `${path}?${old}`)
    const xml = body.toString()
    const last = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].at(-1)?.[1] ?? ''
    const token = `<NextContinuationToken>${Buffer.from(last).toString('base64url')}</NextContinuationToken>`
    const isCut = xml.includes('<IsTruncated>true')
    return { status, headers, body: Buffer.from(isCut ? xml.replace('<IsTruncated>', `${token}<IsTruncated>`) : xml) }
  }

  const uploads = join(directory, bucket, '._S3rver_uploads')
  const listUploads = (prefix: string): Answer => {
    const rows = namesIn(uploads).flatMap((id) => {
      const key = readFileSync(join(uploads, id, 'key'), 'utf8')
      const at = statSync(join(uploads, id, 'key')).mtime.toISOString()
      return key.startsWith(prefix)
        ? [`<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at}</Initiated></Upload>`]
        : []
    })
    const body = Buffer.from(`<ListMultipartUploadsResult>${rows.join('')}</ListMultipartUploadsResult>`)
    return { status: 200, headers: { 'content-type': 'application/xml' }, body }
  }

  async function serve(req: IncomingMessage, request: StorageRequest, body: Buffer): Promise<Answer> {
    const { method, query, key } = request
    const path = String(req.url)
    if (!isSigned({ method, path, headers: req.headers }, storageKeys.STORAGE_ACCESS_KEY_ID, 'S3RVER'))
      return refusal(403, 'SignatureDoesNotMatch')
    if (req.headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex'))
      return refusal(400, 'XAmzContentSHA256Mismatch')
    if (key === '' && query.has('uploads')) return listUploads(query.get('prefix') ?? '')
    if (key === '' && query.has('list-type')) return list(path.replace(/\?.*/, ''), query)
    if (method === 'DELETE' && query.has('uploadId')) {
      rmSync(join(uploads, query.get('uploadId') ?? ''), { recursive: true, force: true })
      return { status: 204, headers: {}, body: Buffer.alloc(0) }
    }
    const isConditional = method === 'GET' && req.headers['if-match'] !== undefined
    if ((method === 'PUT' || isConditional) && !(await holds(path, req.headers)))
      return refusal(412, 'PreconditionFailed')
    const passed = Object.entries(req.headers).filter(
      ([name]) =>
        /^(?:x-amz-(?!content|date)|content-type|if-none)/.test(name) && !(method === 'PUT' && name.startsWith('if-')),
    )
    const answer = await ask(
      method,
      path,
      Object.fromEntries(passed.map(([name, value]) => [name, String(value)])),
      body,
    )
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(req.headers.range ?? '') ?? []
    if (answer.status === 200 && first !== undefined) return cutOut(answer, Number(first), last)
    if (answer.status === 200 && req.headers['x-amz-copy-source'] !== undefined)
      utimesSync(`${join(directory, bucket, key)}._S3rver_object`, new Date(), new Date())
    return answer
  }

  function answerTo(work: () => Promise<Answer>, fault: StorageFault | undefined) {
    if (fault?.is === 'refused') return refusal(fault.status, fault.code)
    if (fault?.is === 'late') return refusal(404, 'NoSuchKey')
    if (fault?.is === 'page') return page
    return inTurn(work)
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(String(req.url), 'http://storage')
    const key = decodeURIComponent(url.pathname).replace(new RegExp(`^/${bucket}/?`), '')
    const request = { method: String(req.method), key, query: url.searchParams }
    requests.push(request)
    const fault = state.fault(request, requests.length)
    if (fault?.is === 'half-sent') {
      const { socket } = req
      for (const event of ['data', 'end']) req.once(event, () => socket.destroy())
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    if (fault?.is === 'silent') return
    if (fault?.is === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms))
    const work = () => serve(req, request, Buffer.concat(chunks))
    const answered = await answerTo(work, fault)
    const changed = { 'cut-list': withoutToken, 'endless-list': withOneToken }
    const found = fault?.is === 'cut-list' || fault?.is === 'endless-list' ? changed[fault.is](answered) : answered
    if (fault?.is === 'answer-lost') {
      req.socket.destroy()
      return
    }
    send(req, res, found, fault)
  }

  const server = createServer((req, res) => void answer(req, res).catch(() => req.socket.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = (prefix = ''): string => `s3://${bucket}${prefix && `/${prefix}`}?endpoint=http://127.0.0.1:${port}`
  return {
    url,
    /** The environment of a program that uses this storage. */
    env: (prefix = '') => ({ STORAGE_URL: url(prefix), ...storageKeys }),
    requests,
    /** Decides the fault of each request from now on. */
    fail(fault: (request: StorageRequest, nth: number) => StorageFault | undefined): void {
      state.fault = fault
    },
    heal(): void {
      state.fault = () => undefined
    },
    /** The keys of all visible objects. */
    keys: (): string[] =>
      readdirSync(join(directory, bucket), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('._S3rver_object') && !name.startsWith('._S3rver_uploads'))
        .map((name) => name.slice(0, -'._S3rver_object'.length))
        .toSorted(),
    /** The number of multipart uploads that are neither completed nor aborted. */
    openUploads: () => namesIn(uploads).length,
    /** The file of an object, for changes that no request can make. */
    fileOf: (key: string): string => `${join(directory, bucket, key)}._S3rver_object`,
    async stop(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await s3.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export type ObjectServer = Awaited<ReturnType<typeof startObjectServer>>

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, body }: Answer,
  fault: StorageFault | undefined,
) {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...kept } = headers
  const bytes = Buffer.from(body)
  if (fault?.is === 'wrong-byte' && bytes.length > 0) bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  if (fault?.is === 'other-part') kept['content-range'] = `bytes 1-${bytes.length}/${bytes.length + 1}`
  const length = req.method === 'HEAD' ? headers['content-length'] : String(bytes.length)
  delete kept['content-length']
  const isMeasured = length !== undefined && fault?.is !== 'unmeasured'
  res.writeHead(status, { ...kept, ...(isMeasured && { 'content-length': length }) })
  if (fault?.is === 'half-answered') res.write(bytes.subarray(0, bytes.length >> 1), () => res.destroy())
  else if (fault?.is === 'stalled') res.write(bytes.subarray(0, bytes.length >> 1))
  else res.end(req.method === 'HEAD' ? undefined : bytes)
}
