import type { Episodes } from '../media/episode.ts'
import { requestIdOf } from './request-id.ts'
import type { FolderHandler } from './route-request.ts'
import { preflightHeaders, type SecurityHeaders } from './security-headers.ts'
import { rangeOf, sendForm } from './send-form.ts'
import type { SendProblem } from './send-problem.ts'
import type { StaticForm } from './static-file.ts'

/** Where narrations are heard: `/audio/<storageKey>.mp3`. */
export const audioFolder = '/audio/'

interface Options {
  readonly episodes: Episodes
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  /** Breaks off what is being streamed: players go on with a range. */
  readonly signal: AbortSignal
}

const allow = 'GET, HEAD, OPTIONS'
const hashLength = 16

/**
 * Streams narrations while they are being made. A request is a key of the store, and no path on disk is ever made from
 * it; the bytes under a key never change.
 */
export function makeAudioFiles({ episodes, security, sendProblem, signal }: Options): FolderHandler {
  const common = {
    ...security('media'),
    'content-type': 'audio/mpeg',
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
  }

  function findForm(path: string): StaticForm | undefined {
    const storageKey = /^\/audio\/([^/]+)\.mp3$/.exec(path)?.[1]
    const file = storageKey === undefined ? undefined : episodes.findFile(decodeURI(storageKey))
    if (!file || storageKey === undefined) return undefined
    const { path: place, sizeBytes: size } = file
    const etag = `"${storageKey.slice(-hashLength)}-${size}"`
    return { path: place, size, etag, body: undefined, headers: { ...common, etag, 'content-length': size } }
  }

  return (req, res, path) => {
    if (req.method === 'OPTIONS') {
      const headers = { ...security('media'), allow, 'access-control-allow-methods': allow, ...preflightHeaders }
      res.writeHead(204, { 'x-request-id': requestIdOf(req), ...headers }).end()
      return
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      sendProblem(req, res, 'method-not-allowed', { headers: { allow } })
      return
    }
    const form = findForm(path)
    if (form) sendForm(req, res, form, { range: rangeOf(req, form), sendProblem, signal })
    else sendProblem(req, res, 'not-found')
  }
}
