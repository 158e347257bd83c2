import { Problem } from '../core/problem.ts'
import { readBody } from './read-body.ts'

/**
 * Reads the fields of a form in the body of a request. No field may occur twice.
 *
 * @throws Problem when the body is not a form, is cut off, or is larger than `maxBytes`
 */
export async function readForm(request: Request, maxBytes: number): Promise<URLSearchParams> {
  const refuse = (detail: string) => new Problem('invalid-input', { errors: [{ pointer: '', detail }] })
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw refuse('the Content-Type must be application/x-www-form-urlencoded')
  // The client is gone when its body breaks off, so this response only has to be harmless.
  const body = await readBody(request, maxBytes).catch(() => null)
  if (body === null) throw refuse('the body was cut off')
  if (!body) throw new Problem('body-too-large', { detail: `A form may have at most ${maxBytes} bytes here` })
  const form = new URLSearchParams(body.toString('utf8'))
  // Compares counts: calling `getAll` for each of some thousand names would block the event loop.
  if (new Set(form.keys()).size < form.size) throw refuse('a field is given more than once')
  return form
}
