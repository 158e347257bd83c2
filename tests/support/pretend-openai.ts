import { z } from 'zod'
import { jsonReply, openPretendProvider, type ProviderReply, type ProviderRequest } from './pretend-provider.ts'
import { providerPicture } from './provider-picture.ts'
import { providerSpeech } from './provider-speech.ts'

const key = 'sk-openai-test-key-0123456789'

/** An error in the form of this protocol; its text repeats the key, as careless services do. */
export const openaiError = (status: number, code: string | null): ProviderReply =>
  jsonReply(
    { error: { message: `wrong, and your key is ${key}`, type: 'invalid_request_error', param: null, code } },
    status,
  )

const isSize = (size: unknown): size is string => typeof size === 'string' && /^\d{3,4}x\d{3,4}$/.test(size)

const ownVoices = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer']

/** How a service that speaks this protocol differs from OpenAI. */
interface Differences {
  readonly voices?: readonly string[]
  /** The sample rate in Hz, which its responses state. */
  readonly rate?: number
  /** Whether no key is needed. */
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

/** Responses by path. */
const toEndpoints = ({
  voices = ownVoices,
  rate,
}: Differences): Readonly<Record<string, (request: ProviderRequest) => Promise<ProviderReply>>> => ({
  async '/v1/images/generations'({ body }) {
    if (typeof body['prompt'] !== 'string' || !isSize(body['size'])) return openaiError(400, 'invalid_value')
    // Newer models refuse response_format, which they do not know; older ones do not know output_format.
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
