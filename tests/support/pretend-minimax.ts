import { z } from 'zod'
import { jsonReply, openPretendProvider, type ProviderReply, type ProviderRequest } from './pretend-provider.ts'
import { providerPicture } from './provider-picture.ts'
import { providerSpeech } from './provider-speech.ts'

const key = 'minimax-test-key-0123456789'
const success = { status_code: 0, status_msg: 'success' }

/** An error of this provider, which comes with HTTP 200; its text repeats the key, as careless services do. */
export const minimaxError = (code: number): ProviderReply =>
  jsonReply({ id: '', data: null, metadata: {}, base_resp: { status_code: code, status_msg: `error for ${key}` } })

const sizes = new Map([
  ['16:9', [1280, 720]],
  ['1:1', [1024, 1024]],
  ['4:3', [1152, 864]],
])

/** A request for speech as documented, without parts that are not used here. */
const speechSchema = z.object({
  model: z.enum(['speech-2.8-hd', 'speech-2.8-turbo']),
  text: z.string().min(1).max(10_000),
  stream: z.literal(false),
  output_format: z.literal('hex'),
  voice_setting: z.object({ voice_id: z.string().min(1), speed: z.number().min(0.5).max(2) }),
  audio_setting: z.object({
    sample_rate: z.literal([8000, 16_000, 22_050, 24_000, 32_000, 44_100]),
    format: z.literal('pcm'),
    channel: z.literal(1),
  }),
})

/** Responses by path. */
const endpoints: Readonly<Record<string, (request: ProviderRequest) => Promise<ProviderReply>>> = {
  async '/v1/image_generation'({ body }) {
    const size = sizes.get(String(body['aspect_ratio']))
    const isWellFormed =
      body['model'] === 'image-01' &&
      body['response_format'] === 'base64' &&
      typeof body['prompt'] === 'string' &&
      body['prompt'].length <= 1500
    if (!size || !isWellFormed) return minimaxError(2013)
    const [width = 0, height = 0] = size
    const picture = await providerPicture(width, height)
    return jsonReply({
      id: '0123',
      data: { image_base64: [picture.toString('base64')] },
      metadata: { success_count: '1', failed_count: '0' },
      base_resp: success,
    })
  },
  async '/v1/t2a_v2'({ body }) {
    const read = speechSchema.safeParse(body)
    if (!read.success) return minimaxError(2013)
    const { text, voice_setting: voice, audio_setting: sound } = read.data
    const pcm = providerSpeech(text, { rate: sound.sample_rate, speed: voice.speed })
    return jsonReply({
      data: { audio: Buffer.from(pcm).toString('hex'), status: 2 },
      extra_info: {
        audio_length: Math.round((pcm.byteLength / 2 / sound.sample_rate) * 1000),
        audio_sample_rate: sound.sample_rate,
        audio_size: pcm.byteLength,
        audio_format: 'pcm',
        audio_channel: 1,
        usage_characters: text.length,
      },
      trace_id: '0123',
      base_resp: success,
    })
  },
}

/** A provider that behaves as the documentation of MiniMax says. */
export async function openPretendMinimax() {
  const provider = await openPretendProvider((request) => {
    if (request.headers['authorization'] !== `Bearer ${key}`) return minimaxError(1004)
    return endpoints[request.path]?.(request) ?? jsonReply({ error: 'no such path' }, 404)
  })
  return { ...provider, key }
}
