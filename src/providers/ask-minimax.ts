import { z } from 'zod'
import type { EngineChoice } from '../config/engine-settings.ts'
import { askProvider, type ProviderQuestion } from './ask-provider.ts'
import { ProviderFailed, type ProviderFailureKind } from './provider-failed.ts'
import { readProviderJson } from './read-provider-json.ts'

/** The settings for MiniMax from the environment. */
export type MinimaxChoice = Extract<EngineChoice, { is: 'minimax' }>

interface MinimaxQuestion extends Omit<ProviderQuestion, 'url' | 'key'> {
  /** Below the base URL. */
  readonly path: `/v1/${string}`
}

const statusSchema = z.looseObject({ base_resp: z.object({ status_code: z.int() }) })

/**
 * The kinds of documented status codes. Other codes mean a malformed request or a bad account, and count as `account`.
 */
const kinds: ReadonlyMap<number, ProviderFailureKind> = new Map([
  [1000, 'unavailable'],
  [1001, 'unavailable'],
  [1002, 'unavailable'],
  [1013, 'unavailable'],
  [1024, 'unavailable'],
  [1033, 'unavailable'],
  [1039, 'unavailable'],
  // Too many connections (1041), and a too rapid increase in requests (2045).
  [1041, 'unavailable'],
  [2045, 'unavailable'],
  [1026, 'refused'],
  [1027, 'refused'],
  // Too many invisible characters in the text.
  [1042, 'refused'],
])

/**
 * Sends a request to MiniMax, which reports errors with HTTP 200 and a status code in the JSON.
 *
 * @returns the whole JSON, of which only the status code has been checked
 * @throws ProviderFailed; the signal's reason when it was aborted
 */
export async function askMinimax(choice: MinimaxChoice, { path, ...question }: MinimaxQuestion): Promise<unknown> {
  const url = new URL(`${choice.baseUrl}${path}`)
  // Older accounts send the id of their group as well as the key.
  if (choice.groupId !== undefined) url.searchParams.set('GroupId', choice.groupId)
  const { bytes } = await askProvider({ ...question, url: url.href, key: choice.key() })
  const answer = readProviderJson(bytes, statusSchema)
  const code = answer.base_resp.status_code
  if (code !== 0) throw new ProviderFailed(kinds.get(code) ?? 'account', `answered with its code ${code}`)
  return answer
}
