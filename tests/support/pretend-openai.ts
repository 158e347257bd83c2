import { z } from 'zod'
import { jsonReply, openPretendProvider, type ProviderReply, type ProviderRequest } from './pretend-provider.ts'
import { providerPicture } from './provider-picture.ts'
import { providerSpeech } from './provider-speech.ts'

const key = 'sk-openai-test-key-0123456789'

/** An error as this protocol words it; the text repeats the key, as careless services do. */
export const openaiError = (status: number, code: string | null): ProviderReply =>
  jsonReply(
    { error: { message: `wrong, and your key is ${key}`, type: 'invalid_request_error', param: null, code } },
    status,
  )

const isSize = (size: unknown): size is string => typeof size === 'string' && /^\d{3,4}x\d{3,4}$/.test(size)

const ownVoices = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer']

/** What a service that speaks this protocol is, where it is not OpenAI. */
interface Differences {
  readonly voices?: readonly string[]
  /** Samples per second, which its answers name. */
  readonly rate?: number
  /** Whether anybody may ask. */
  readonly isOpen?: boolean
}

const speechSchema = z.strictObject({
  model: z.string().min(1),
  input: z.string().min(1).max(4096),
  voice: z.string(),
  response_format: z.literal('pcm'),
  speed: z.number().min(0.25).max(4).default(1),
  instructions: z.string().max(4096).optional(),
})

/** Answers by path. */
const toEndpoints = ({
  voices = ownVoices,
  rate,
}: Differences): Readonly<Record<string, (request: ProviderRequest) => Promise<ProviderReply>>> => ({
  async '/v1/images/generations'({ body }) {
    if (typeof body['prompt'] !== 'string' || !isSize(body['size'])) return openaiError(400, 'invalid_value')
    // The newer models know no response_format and refuse it; the older ones know no output_format.
    const isNew = String(body['model']).startsWith('gpt-image')
    if (isNew ? 'response_format' in body : 'output_format' in body) return openaiError(400, 'unknown_parameter')
    const [width = 0, height = 0] = body['size'].split('x').map(Number)
    const picture = await providerPicture(width, height, isNew ? 'jpeg' : 'png')
    return jsonReply({ created: 1_790_000_000, data: [{ b64_json: picture.toString('base64') }] })
  },
  async '/v1/audio/speech'({ body }) {
    const read = speechSchema.safeParse(body)
    if (!read.success || !voices.includes(read.data.voice)) return openaiError(400, 'invalid_value')
    const { input, speed } = read.data
    const type = rate === undefined ? 'audio/pcm' : `audio/pcm;rate=${rate}`
    return { headers: { 'content-type': type }, body: providerSpeech(input, { rate: rate ?? 24_000, speed }) }
  },
})

/** A service that speaks OpenAI's protocol; its base URL is `url` with `/v1`. */
export async function openPretendOpenai(differences: Differences = {}) {
  const endpoints = toEndpoints(differences)
  const provider = await openPretendProvider((request) => {
    if (!differences.isOpen && request.headers['authorization'] !== `Bearer ${key}`)
      return openaiError(401, 'invalid_api_key')
    return endpoints[request.path]?.(request) ?? openaiError(404, null)
  })
  return { ...provider, key }
}
