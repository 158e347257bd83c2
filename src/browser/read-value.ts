/** An object of unknown content, from the network or from storage. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value; none when it is no object. */
export const readFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}

/** A list; empty when it is none. */
export const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A number; 0 when it is none. */
export const readNumber = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** A text; empty when it is none. */
export const readText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The fields of JSON; none when it is something else, or cannot be read. */
export function readJson(read: () => string): Fields {
  try {
    return readFields(JSON.parse(read()))
  } catch {
    return {}
  }
}

/** The same of JSON in base64, as x402 puts it into headers. */
export const readHeader = (header: string | null): Fields => readJson(() => atob(header ?? ''))
