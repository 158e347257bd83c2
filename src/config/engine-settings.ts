import { ConfigError } from './config-error.ts'
import type { Environment } from './environment.ts'

/**
 * An engine inside this program, or a provider and how to reach it. `key` is a function so that logs and JSON leave it
 * out: it is never printed.
 */
export type EngineChoice =
  | { readonly is: 'embedded' }
  | {
      readonly is: 'minimax'
      readonly baseUrl: string
      readonly groupId: string | undefined
      readonly key: () => string
    }
  | {
      readonly is: 'openai'
      readonly baseUrl: string
      readonly model: string
      /** The names of its voices; those of OpenAI when absent. */
      readonly voices?: readonly string[] | undefined
      /** The languages of its voices; any language when absent. */
      readonly languages?: readonly string[] | undefined
      readonly key: () => string | undefined
    }

/** The engine for images and the engine for speech. */
export interface EngineChoices {
  readonly image: EngineChoice
  readonly voice: EngineChoice
}

/** @throws ConfigError when an engine lacks its key */
export const enginesOf = (env: Environment): EngineChoices => ({
  image: engineOf(env, env.IMAGE_ENGINE, env.OPENAI_IMAGE_MODEL),
  voice: engineOf(env, env.VOICE_ENGINE, env.OPENAI_VOICE_MODEL),
})

function engineOf(env: Environment, is: Environment['IMAGE_ENGINE'], model: string): EngineChoice {
  const { MINIMAX_API_KEY: minimaxKey, OPENAI_API_KEY: openaiKey } = env
  switch (is) {
    case 'embedded':
      return { is }
    case 'openai':
      if (openaiKey === undefined && new URL(env.OPENAI_BASE_URL).hostname === 'api.openai.com')
        throw new ConfigError('OPENAI_API_KEY must be set when an engine is openai')
      return {
        ...{ is, baseUrl: env.OPENAI_BASE_URL, model, key: () => openaiKey },
        ...{ voices: env.OPENAI_VOICES, languages: env.OPENAI_VOICE_LANGUAGES },
      }
    case 'minimax':
      if (minimaxKey === undefined) throw new ConfigError('MINIMAX_API_KEY must be set when an engine is minimax')
      return { is, baseUrl: env.MINIMAX_BASE_URL, groupId: env.MINIMAX_GROUP_ID, key: () => minimaxKey }
  }
}
