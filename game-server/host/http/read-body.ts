import { Problem } from '../../../src/problem.ts'
import { readCapped } from '../../../src/read-capped.ts'

/**
 * Reads a request's body whole.
 *
 * @throws Problem `body-too-large` as soon as it is longer than `maxBytes`, announced or sent
 */
export async function readBody(request: Request, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const tooLarge = () =>
    new Problem('body-too-large', { charged: false, detail: `A body may have ${maxBytes} bytes here` })
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const body = await readCapped(request.body, maxBytes)
  if (!body) throw tooLarge()
  return body
}
