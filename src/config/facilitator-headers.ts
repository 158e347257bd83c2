import { z } from 'zod'

/** A valid value of a header. A line break at the end is removed, because copying from a file may add one. */
const headerValue = z
  .string()
  .trim()
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/)
const headersSchema = z.record(z.string().regex(/^[A-Za-z0-9-]+$/), headerValue)

const shape = 'must be a JSON object of header names and values, or of such objects by the address they are for'
const twice = 'names a header or an address twice, of which only one would count: write each once'

const countTexts = (json: string): number => json.match(/"(?:[^"\\]|\\.)*"/g)?.length ?? 0

/** Whether two names differ for JSON but not for us: header names in other case, addresses with a trailing slash. */
const isOneName = (names: readonly string[]): boolean =>
  new Set(names.map((name) => name.toLowerCase().replace(/\/+$/, ''))).size < names.length

/** Whether a JSON object has a name twice; `JSON.parse` silently keeps only the last value. */
function saysTwice(text: string, json: object): boolean {
  const objects = [json, ...Object.values(json).filter((value) => typeof value === 'object' && value !== null)]
  return countTexts(text) > countTexts(JSON.stringify(json)) || objects.some((each) => isOneName(Object.keys(each)))
}

/** Parses FACILITATOR_HEADERS: the headers to send with each request, either for the only facilitator or by address. */
export const makeFacilitatorHeaders = (facilitatorUrl: z.ZodType<string, string>) => {
  const headersByAddress = z.record(facilitatorUrl, headersSchema)
  return z.string().transform((text, context) => {
    const complain = (message: string) => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    try {
      const json: unknown = JSON.parse(text)
      const read = headersSchema.safeParse(json)
      const headers = read.success
        ? ({ is: 'plain', headers: read.data } as const)
        : ({ is: 'by-address', headers: headersByAddress.parse(json) } as const)
      return saysTwice(text, z.looseObject({}).parse(json)) ? complain(twice) : headers
    } catch {
      return complain(shape)
    }
  })
}
