import { z } from 'zod'
import { sha256 } from '../core/sha256.ts'
import { askMinimax, type MinimaxChoice } from '../providers/ask-minimax.ts'
import { ProviderFailed } from '../providers/provider-failed.ts'
import { readProviderBytes } from '../providers/read-provider-bytes.ts'
import { type FinishPicture, finishProviderPicture } from './finish-provider-picture.ts'
import type { ImageEngine } from './image-engine.ts'
import { deadlineMs, maxPictureBytes } from './image-limits.ts'
import { toImagePrompt } from './image-prompt.ts'

const answerSchema = z.object({ data: z.object({ image_base64: z.array(z.string()) }) })

/** MiniMax's image-01. */
export const minimaxImages = (choice: MinimaxChoice, finish: FinishPicture): ImageEngine => ({
  name: 'minimax',
  heedsSeed: true,
  async generate(wish) {
    const { title, excerpt, style, aspectRatio, attempt, signal, seed } = wish
    const answer = await askMinimax(choice, {
      path: '/v1/image_generation',
      body: {
        model: 'image-01',
        prompt: toImagePrompt(wish),
        aspect_ratio: aspectRatio,
        // URLs of results expire, and would have to be fetched from a third party.
        response_format: 'base64',
        n: 1,
        seed: Number.parseInt(sha256(JSON.stringify([title, excerpt, style, attempt, seed])).slice(0, 7), 16),
        // The optimizer rewrites the prompt with a model that obeys instructions in the text.
        prompt_optimizer: false,
      },
      deadlineMs,
      maxBytes: maxPictureBytes * 1.4,
      signal,
    })
    const [text] = answerSchema.safeParse(answer).data?.data.image_base64 ?? []
    if (text === undefined) throw new ProviderFailed('unusable', 'sent no picture')
    return await finishProviderPicture(readProviderBytes(text), wish, finish)
  },
})
