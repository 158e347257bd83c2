import { type Fields, readFields, readText } from '../../../src/browser/read-value.ts'

/** The response of the host. `detail` is the error message, empty without an error or without a response. */
export interface JsonAnswer {
  readonly isOk: boolean
  readonly body: Fields
  readonly detail: string
}

const longestMs = 20_000

/** Sends a JSON body and reads the JSON response. It never rejects. */
export function postJson(path: string, body: Fields): Promise<JsonAnswer> {
  const headers = { 'content-type': 'application/json' }
  return askJson(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Fetches JSON from the host, within 20 s. It never rejects. */
export async function askJson(path: string, init: RequestInit = {}): Promise<JsonAnswer> {
  try {
    const response = await fetch(path, { ...init, signal: AbortSignal.timeout(longestMs) })
    const body = readFields(await response.json())
    return { isOk: response.ok, body, detail: response.ok ? '' : readText(body['detail']) }
  } catch {
    return { isOk: false, body: {}, detail: '' }
  }
}
