import { z } from 'zod'
import { askMinimax, type MinimaxChoice } from '../../providers/ask-minimax.ts'
import { ProviderFailed } from '../../providers/provider-failed.ts'
import type { HostedVoice } from './hosted-speech.ts'
import { minimaxLanguages, minimaxVoices } from './provider-voices.ts'
import { longestSeconds, readSpeech } from './read-speech.ts'

const rate = 32_000
const deadlineMs = 60_000
const models = { hd: 'speech-2.8-hd', turbo: 'speech-2.8-turbo' } as const
/** Bytes of the response per second of sound: two hexadecimal digits for each byte, two bytes for each sample. */
const bytesPerSecond = rate * 4
const otherBytes = 64 * 1024
/** Most ms by which the sound may differ from the length that the response states. */
const slackMs = 500

const answerSchema = z.object({
  data: z.object({ audio: z.string() }),
  extra_info: z.object({ audio_length: z.number() }).nullish(),
})

function readHex(answer: unknown): Uint8Array {
  const read = answerSchema.safeParse(answer)
  if (!read.success) throw new ProviderFailed('unusable', 'sent no sound')
  const { audio } = read.data.data
  const bytes = Buffer.from(audio, 'hex')
  // `Buffer.from` stops at the first character that is no hexadecimal digit.
  if (bytes.byteLength * 2 !== audio.length) throw new ProviderFailed('unusable', 'sent sound that is not hexadecimal')
  const saidMs = read.data.extra_info?.audio_length
  const ms = (bytes.byteLength / 2 / rate) * 1000
  if (saidMs !== undefined && Math.abs(ms - saidMs) > slackMs)
    throw new ProviderFailed('unusable', 'sent sound of another length than it says')
  return bytes
}

/** MiniMax T2A v2. */
export const minimaxSpeech = (choice: MinimaxChoice): HostedVoice => ({
  name: 'minimax',
  identity: [choice.baseUrl],
  voices: minimaxVoices,
  languages: minimaxLanguages,
  rate,
  limits: { maxCharacters: 600, maxSeconds: 60 },
  async say({ spoken: text, voiceId, speed, quality }, signal) {
    const body = {
      model: models[quality],
      text,
      stream: false,
      language_boost: 'auto',
      output_format: 'hex',
      voice_setting: { voice_id: voiceId, speed, vol: 1, pitch: 0 },
      audio_setting: { sample_rate: rate, format: 'pcm', channel: 1 },
      subtitle_enable: false,
    }
    const maxBytes = Math.ceil(longestSeconds({ text, speed }) * bytesPerSecond) + otherBytes
    const question = { path: '/v1/t2a_v2', body, deadlineMs, maxBytes, ...(signal && { signal }) } as const
    return readSpeech(readHex(await askMinimax(choice, question)), { text, speed, rate })
  },
})
