import { samplePathOf } from '../media/speech/voice-list.ts'
import type { VoiceSamples } from '../media/voice-samples.ts'
import type { PlainHandler } from './route-request.ts'
import type { SecurityHeaders } from './security-headers.ts'
import { rangeOf, sendForm } from './send-form.ts'
import type { SendProblem } from './send-problem.ts'

interface Options {
  readonly samples: VoiceSamples
  readonly security: SecurityHeaders
  readonly sendProblem: SendProblem
  readonly signal: AbortSignal
}

/** The samples by their addresses. Only voices that exist have one, so nothing can be made by guessing names. */
export function makeVoiceSampleHandlers({ samples, security, sendProblem, signal }: Options) {
  const common = {
    ...security('media'),
    'content-type': 'audio/mpeg',
    // The address stays when the voice is improved.
    'cache-control': 'public, max-age=86400',
    'accept-ranges': 'bytes',
  }
  const toHandler =
    (voiceId: string): PlainHandler =>
    async (req, res) => {
      const { path, name, sizeBytes: size } = await samples.get(voiceId)
      const etag = `"${name}"`
      const form = { path, size, etag, body: undefined, headers: { ...common, etag, 'content-length': size } }
      sendForm(req, res, form, { range: rangeOf(req, form), sendProblem, signal })
    }
  return samples.voiceIds.map((voiceId) => [samplePathOf(voiceId), toHandler(voiceId)] as const)
}
