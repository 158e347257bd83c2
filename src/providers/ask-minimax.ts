import { z } from 'zod'
import type { EngineChoice } from '../config/engine-settings.ts'
import { askProvider, type ProviderQuestion } from './ask-provider.ts'
import { ProviderFailed, type ProviderFailureKind } from './provider-failed.ts'
import { readProviderJson } from './read-provider-json.ts'

/** How to reach MiniMax, as the environment says it. */
export type MinimaxChoice = Extract<EngineChoice, { is: 'minimax' }>

interface MinimaxQuestion extends Omit<ProviderQuestion, 'url' | 'key'> {
  /** Below the base URL. */
  readonly path: `/v1/${string}`
}

const statusSchema = z.looseObject({ base_resp: z.object({ status_code: z.int() }) })

/** Documented codes; what is not listed is about the request's form, which is ours or the operator's to mend. */
const kinds: ReadonlyMap<number, ProviderFailureKind> = new Map([
  [1000, 'unavailable'],
  [1001, 'unavailable'],
  [1002, 'unavailable'],
  [1013, 'unavailable'],
  [1024, 'unavailable'],
  [1033, 'unavailable'],
  [1039, 'unavailable'],
  // Too many connections, and more of them than a moment ago.
  [1041, 'unavailable'],
  [2045, 'unavailable'],
  [1026, 'refused'],
  [1027, 'refused'],
  // Too much of the text cannot be seen.
  [1042, 'refused'],
])

/**
 * Asks MiniMax, whose errors come with HTTP 200 and a code of their own.
 *
 * @returns the whole answer, of which only its success has been looked at
 * @throws ProviderFailed; the signal's reason when that ended it
 */
export async function askMinimax(choice: MinimaxChoice, { path, ...question }: MinimaxQuestion): Promise<unknown> {
  const url = new URL(`${choice.baseUrl}${path}`)
  // Accounts of the older kind name their group beside their key.
  if (choice.groupId !== undefined) url.searchParams.set('GroupId', choice.groupId)
  const { bytes } = await askProvider({ ...question, url: url.href, key: choice.key() })
  const answer = readProviderJson(bytes, statusSchema)
  const code = answer.base_resp.status_code
  if (code !== 0) throw new ProviderFailed(kinds.get(code) ?? 'account', `answered with its code ${code}`)
  return answer
}
