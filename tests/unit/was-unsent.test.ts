import { expect, it } from 'vitest'
import { NotConnected } from '../../src/http/exchange.ts'
import { UpstreamError } from '../../src/http/fetch-json.ts'
import { wasUnsent } from '../../src/payments/facilitator/was-unsent.ts'

const late = new DOMException('no answer in 30000 ms', 'TimeoutError')
const failed = (status: number | undefined, cause: unknown) => new UpstreamError('no JSON', { status, cause })

it.each([
  ['there was no connection', failed(undefined, new NotConnected('no connection', { cause: late })), true],
  ['the connection broke', failed(undefined, new Error('socket hang up')), false],
  ['the answer was late', failed(undefined, late), false],
  ['the answer was text, with a status of one that was not processed', failed(403, new SyntaxError('no JSON')), true],
  ['the answer was text, with a status of one that may have been', failed(502, new SyntaxError('no JSON')), false],
  ['it failed otherwise', new NotConnected('not of an exchange with a service'), false],
])('knows whether a request had no effect when %s', (_when, error, isUnsent) => {
  expect(wasUnsent(error)).toBe(isUnsent)
})
