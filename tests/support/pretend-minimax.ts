import { jsonReply, openPretendProvider, type ProviderReply, type ProviderRequest } from './pretend-provider.ts'
import { providerPicture } from './provider-picture.ts'

const key = 'minimax-test-key-0123456789'
const success = { status_code: 0, status_msg: 'success' }

/** Errors of this provider come with HTTP 200; the text repeats the key, as careless services do. */
export const minimaxError = (code: number): ProviderReply =>
  jsonReply({ id: '', data: null, metadata: {}, base_resp: { status_code: code, status_msg: `error for ${key}` } })

const sizes = new Map([
  ['16:9', [1280, 720]],
  ['1:1', [1024, 1024]],
  ['4:3', [1152, 864]],
])

/** Answers by path; a speech endpoint is one more entry. */
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
}

/** MiniMax as its documentation describes it. */
export async function openPretendMinimax() {
  const provider = await openPretendProvider((request) => {
    if (request.headers['authorization'] !== `Bearer ${key}`) return minimaxError(1004)
    return endpoints[request.path]?.(request) ?? jsonReply({ error: 'no such path' }, 404)
  })
  return { ...provider, key }
}
