import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NodeHandle, Route } from '../http/route.ts'
import type { SecurityHeaders } from '../http/security-headers.ts'
import { rangeOf, sendForm } from '../http/send-form.ts'
import type { SendProblem } from '../http/send-problem.ts'
import { samplePathOf } from '../narration/engines/voice-list.ts'
import type { SoundFile } from '../narration/episodes/episode.ts'
import type { Services } from './services.ts'

interface Options {
  readonly services: Pick<Services, 'episodes' | 'voiceSamples'>
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  /** Aborts streams when the program stops; players continue with a range request. */
  readonly signal: AbortSignal
}

interface Sound extends SoundFile {
  readonly etag: string
  readonly cacheControl: string
}

const hashLength = 16

/**
 * The routes `/audio/<storageKey>.mp3` of narrations, including those made while the site runs, and of the voice
 * samples. A request is looked up as a key of a store, and no path on disk is ever made from it.
 */
export function makeAudioRoutes({ services, security, sendProblem, signal }: Options): Route<NodeHandle>[] {
  const { episodes, voiceSamples } = services
  const common = { ...security('media'), 'content-type': 'audio/mpeg', 'accept-ranges': 'bytes' }

  function send(
    req: IncomingMessage,
    res: ServerResponse,
    { path, open, sizeBytes: size, etag, cacheControl }: Sound,
  ): void {
    const headers = { ...common, 'cache-control': cacheControl, etag, 'content-length': size }
    const form = { path, open, size, etag, body: undefined, headers }
    sendForm(req, res, form, { range: rangeOf(req, form), sendProblem, signal })
  }

  const narration: NodeHandle = (req, res, name) => {
    const storageKey = /^([^/]+)\.mp3$/.exec(name)?.[1] ?? ''
    const file = episodes.findFile(storageKey)
    // The bytes under a key never change.
    const cacheControl = 'public, max-age=31536000, immutable'
    if (file) send(req, res, { ...file, etag: `"${storageKey.slice(-hashLength)}-${file.sizeBytes}"`, cacheControl })
    else sendProblem(req, res, 'not-found')
  }

  const toSample =
    (voiceId: string): NodeHandle =>
    async (req, res) => {
      const { name, ...file } = await voiceSamples.get(voiceId)
      // Not immutable: the address stays the same when the voice is improved.
      send(req, res, { ...file, etag: `"${name}"`, cacheControl: 'public, max-age=86400' })
    }

  return [
    { path: '/audio/*', handlers: { GET: narration } },
    ...voiceSamples.voiceIds.map((voiceId) => ({ path: samplePathOf(voiceId), handlers: { GET: toSample(voiceId) } })),
  ]
}
