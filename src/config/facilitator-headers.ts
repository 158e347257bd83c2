import { z } from 'zod'

/** What can be sent as the value of a header; a line's end at the end came with the file that it was copied from. */
const headerValue = z
  .string()
  .trim()
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/)
const headersSchema = z.record(z.string().regex(/^[A-Za-z0-9-]+$/), headerValue)

const shape = 'must be a JSON object of header names and values, or of such objects by the address they are for'
const twice = 'names a header or an address twice, of which only one would count: write each once'

const countTexts = (json: string): number => json.match(/"(?:[^"\\]|\\.)*"/g)?.length ?? 0

/** Names that JSON takes for two and we for one: headers in other letters, addresses with a slash at their end. */
const isOneName = (names: readonly string[]): boolean =>
  new Set(names.map((name) => name.toLowerCase().replace(/\/+$/, ''))).size < names.length

/** Whether an object of JSON says something twice. `JSON.parse` keeps the last of it without a word. */
function saysTwice(text: string, json: object): boolean {
  const objects = [json, ...Object.values(json).filter((value) => typeof value === 'object' && value !== null)]
  return countTexts(text) > countTexts(JSON.stringify(json)) || objects.some((each) => isOneName(Object.keys(each)))
}

/** What the facilitators ask to be sent with each request (`FACILITATOR_HEADERS`), of one of them or by their addresses. */
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
