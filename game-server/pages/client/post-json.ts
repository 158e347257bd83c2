import { type Fields, readFields, readText } from '../../../src/browser/read-value.ts'

/** What the host said to a request; `detail` says what was wrong, and is empty when nobody answered. */
export interface JsonAnswer {
  readonly isOk: boolean
  readonly body: Fields
  readonly detail: string
}

const longestMs = 20_000

/** Sends a JSON body and reads the JSON answer. */
export function postJson(path: string, body: Fields): Promise<JsonAnswer> {
  const headers = { 'content-type': 'application/json' }
  return askJson(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Reads JSON from the host. */
export async function askJson(path: string, init: RequestInit = {}): Promise<JsonAnswer> {
  try {
    const response = await fetch(path, { ...init, signal: AbortSignal.timeout(longestMs) })
    const body = readFields(await response.json())
    return { isOk: response.ok, body, detail: response.ok ? '' : readText(body['detail']) }
  } catch {
    return { isOk: false, body: {}, detail: '' }
  }
}
