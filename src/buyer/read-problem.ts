import * as z from 'zod/mini'
import { parseJson } from './parse-json.ts'
import { printable } from './printable.ts'

/** What a shop says about a request that it did not serve. */
export interface ShopProblem {
  /** The last segment of the problem's `type`. */
  kind: string | undefined
  detail: string | undefined
  /** One line per wrong field. */
  errors: string[]
  charged: boolean | undefined
  retryable: boolean | undefined
}

const optionalText = z.catch(z.optional(z.string()), undefined)
const inputError = z.object({ pointer: optionalText, parameter: optionalText, detail: z.string() })
const problemBody = z.object({
  type: optionalText,
  title: optionalText,
  detail: optionalText,
  error: optionalText,
  errors: z.catch(z.optional(z.array(z.catch(z.nullable(inputError), null))), undefined),
  charged: z.catch(z.optional(z.boolean()), undefined),
  retryable: z.catch(z.optional(z.boolean()), undefined),
})

/** Reads a problem body (RFC 9457) or a similar format; never throws. */
export function readProblem(body: Uint8Array): ShopProblem {
  const read = problemBody.safeParse(parseJson(body))
  if (!read.success) return { kind: undefined, detail: undefined, errors: [], charged: undefined, retryable: undefined }
  const { type, title, detail, error, errors = [], charged, retryable } = read.data
  const said = detail ?? title ?? error
  return {
    kind: type?.split('/').at(-1),
    detail: said === undefined ? undefined : printable(said),
    errors: errors
      .filter((one) => one !== null)
      .slice(0, 20)
      .map((one) => printable(`${one.pointer ?? one.parameter ?? ''} ${one.detail}`)),
    charged,
    retryable,
  }
}
