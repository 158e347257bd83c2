import { Problem } from '../core/problem.ts'
import { readBody } from './read-body.ts'

/**
 * The fields of a form that came as a body, each sent once at most.
 *
 * @throws Problem when it is none, or larger than it may be
 */
export async function readForm(request: Request, maxBytes: number): Promise<URLSearchParams> {
  const refuse = (detail: string) => new Problem('invalid-input', { errors: [{ pointer: '', detail }] })
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw refuse('the Content-Type must be application/x-www-form-urlencoded')
  // A body that breaks off has no reader any more; what is answered only has to be harmless.
  const body = await readBody(request, maxBytes).catch(() => null)
  if (body === null) throw refuse('the body was cut off')
  if (!body) throw new Problem('body-too-large', { detail: `A form may have at most ${maxBytes} bytes here` })
  const form = new URLSearchParams(body.toString('utf8'))
  // By count: to ask for each of some thousand names how often it is there would hold everybody up.
  if (new Set(form.keys()).size < form.size) throw refuse('a field is given more than once')
  return form
}
