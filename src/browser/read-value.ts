/** An object of unknown content, from the network or from storage. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value; empty when it is not an object. */
export const readFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}

/** A list; empty when the value is not a list. */
export const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A number; 0 when the value is not a finite number. */
export const readNumber = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** A text; empty when the value is not a string. */
export const readText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The fields of a JSON object; empty when it is something else or cannot be read. */
export function readJson(read: () => string): Fields {
  try {
    return readFields(JSON.parse(read()))
  } catch {
    return {}
  }
}

/** The same for base64 of JSON, as in headers of x402. */
export const readHeader = (header: string | null): Fields => readJson(() => atob(header ?? ''))
