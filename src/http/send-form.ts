import type { IncomingMessage, ServerResponse } from 'node:http'
import { addAbortSignal, pipeline } from 'node:stream'
import { type ByteRange, readByteRange } from './byte-range.ts'
import { isOther, isUnchanged } from './conditional-request.ts'
import { requestIdOf } from './request-id.ts'
import type { SendProblem } from './send-problem.ts'
import type { StaticForm } from './static/static-file.ts'
import { streamFile } from './stream-file.ts'

/** A range of a part of the file, or one that cannot be satisfied. */
export type PartRange = Exclude<ByteRange, { is: 'whole' }>

/**
 * The range to send. It applies to GET only, and not when `If-Range` names another version or a date: then the whole
 * file is sent.
 */
export function rangeOf(req: IncomingMessage, { size, etag }: StaticForm): PartRange | undefined {
  if (req.method !== 'GET' || req.headers.range === undefined) return undefined
  const condition = req.headers['if-range']
  if (condition !== undefined && condition !== etag) return undefined
  const range = readByteRange(req.headers.range, size)
  return range.is === 'whole' ? undefined : range
}

interface Sending {
  readonly range: PartRange | undefined
  readonly sendProblem: SendProblem
  /** Aborts reading of the file. */
  readonly signal?: AbortSignal
}

const away = 'This is kept on another machine, which does not answer just now; ask again'

/** Responds to GET and HEAD with one form of a file: 200, 206, 304, 412 or 416. */
export function sendForm(
  req: IncomingMessage,
  res: ServerResponse,
  form: StaticForm,
  { range, sendProblem, signal }: Sending,
): void {
  const requestId = requestIdOf(req)
  const { 'if-none-match': noneMatch, 'if-modified-since': modifiedSince } = req.headers
  const { 'if-match': match, 'if-unmodified-since': unmodifiedSince } = req.headers
  const { 'last-modified': lastModified } = form.headers
  if (isOther({ match, unmodifiedSince }, form.etag, lastModified)) {
    const detail = 'What is here is not the version that you name; fetch it from its beginning'
    sendProblem(req, res, 412, { detail, headers: { etag: form.etag } })
  } else if (isUnchanged({ noneMatch, modifiedSince }, form.etag, lastModified)) {
    const { 'content-type': _type, 'content-length': _length, 'content-encoding': _encoding, ...kept } = form.headers
    res.writeHead(304, { ...kept, 'x-request-id': requestId }).end()
  } else if (range?.is === 'unsatisfiable') {
    sendProblem(req, res, 416, { headers: { 'content-range': `bytes */${form.size}`, 'accept-ranges': 'bytes' } })
  } else {
    const { start, end } = range ?? { start: 0, end: form.size - 1 }
    const part = range && { 'content-range': `bytes ${start}-${end}/${form.size}`, 'content-length': end - start + 1 }
    const begin = () => res.writeHead(part ? 206 : 200, { ...form.headers, ...part, 'x-request-id': requestId })
    if (form.open && req.method !== 'HEAD') {
      form.open({ start, end }).then(
        (bytes) => {
          // The client may have left while the file was being opened.
          if (!res.destroyed) begin()
          pipeline(signal ? addAbortSignal(signal, bytes) : bytes, res, () => {})
        },
        () => sendProblem(req, res, 'busy', { retryAfterSeconds: 5, detail: away }),
      )
    } else {
      begin()
      sendBody(req, res, form, { start, end, signal })
    }
  }
}

/** Sends the bytes from `start` to `end`, inclusive, after the head of the response. */
export function sendBody(
  req: IncomingMessage,
  res: ServerResponse,
  form: StaticForm,
  { start, end, signal }: { start: number; end: number; signal?: AbortSignal | undefined },
): void {
  const isEmpty = req.method === 'HEAD' || end < start
  const body = isEmpty ? undefined : form.body?.()
  if (isEmpty) res.end()
  else if (body) res.end(body.subarray(start, end + 1))
  else streamFile(res, form.path, { start, end, signal })
}
