import { z } from 'zod'
import type { EngineChoice } from '../config/engine-settings.ts'
import type { GuardedFetch } from '../fetching/fetched.ts'
import { askProvider } from '../providers/ask-provider.ts'
import { ProviderFailed } from '../providers/provider-failed.ts'
import { readProviderBytes } from '../providers/read-provider-bytes.ts'
import { readProviderJson } from '../providers/read-provider-json.ts'
import type { AspectRatio } from './covers/cover.ts'
import { type FinishPicture, finishProviderPicture } from './finish-provider-picture.ts'
import type { ImageEngine } from './image-engine.ts'
import { deadlineMs, maxPictureBytes } from './image-limits.ts'
import { toImagePrompt } from './image-prompt.ts'

type OpenaiChoice = Extract<EngineChoice, { is: 'openai' }>

const answerSchema = z.object({
  data: z.tuple([z.object({ b64_json: z.string().nullish(), url: z.string().nullish() })], z.unknown()),
})

/** None of the models draws 16:9 or 4:3: the nearest wide size is cut. */
function sizeFor(model: string, aspectRatio: AspectRatio): string {
  if (aspectRatio === '1:1') return '1024x1024'
  return model.includes('dall-e') ? '1792x1024' : '1536x1024'
}

/** Newer models reject `response_format` and always send base64; older ones reject `output_format`. */
const formOf = (model: string) =>
  model.includes('gpt-image') ? { output_format: 'jpeg' } : { response_format: 'b64_json' }

/** An image service with OpenAI's API. */
export const openaiImages = (choice: OpenaiChoice, finish: FinishPicture, fetchPublic: GuardedFetch): ImageEngine => ({
  name: 'openai',
  heedsSeed: false,
  async generate(wish) {
    const { aspectRatio, signal } = wish
    const { model } = choice
    const { bytes } = await askProvider({
      url: `${choice.baseUrl}/images/generations`,
      key: choice.key(),
      body: { model, prompt: toImagePrompt(wish), n: 1, size: sizeFor(model, aspectRatio), ...formOf(model) },
      deadlineMs,
      maxBytes: maxPictureBytes * 1.4,
      signal,
    })
    const [first] = readProviderJson(bytes, answerSchema).data
    if (first.b64_json) return await finishProviderPicture(readProviderBytes(first.b64_json), wish, finish)
    if (first.url) return await finishProviderPicture(await fetchPicture(first.url, fetchPublic, signal), wish, finish)
    throw new ProviderFailed('unusable', 'sent no picture')
  },
})

/**
 * Fetches a picture that a response refers to. Its URL is untrusted: the guarded fetch is used, without the API key.
 */
async function fetchPicture(url: string, fetchPublic: GuardedFetch, signal: AbortSignal): Promise<Uint8Array> {
  const wish = { accept: 'image/jpeg, image/png, image/webp', deadlineMs: 30_000, maxBytes: maxPictureBytes, signal }
  const fetched = await fetchPublic(url, wish).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new ProviderFailed('unusable', 'named a picture that cannot be fetched', { cause })
  })
  if (fetched.status !== 200 || fetched.isCut) throw new ProviderFailed('unusable', 'named a picture that is not there')
  return fetched.body
}
