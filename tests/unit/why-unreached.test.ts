import { expect, it } from 'vitest'
import { whyUnreached } from '../../src/health/outside/why-unreached.ts'

const withCode = (code: string): Error => Object.assign(new Error('something'), { code })
const ofFetch = (cause: unknown): Error => new TypeError('fetch failed', { cause })

it.each([
  ['a refused connection', ofFetch(withCode('ECONNREFUSED')), 'nobody'],
  ['one refused at every address', ofFetch(new AggregateError([withCode('ECONNREFUSED')])), 'nobody'],
  ['a time that is over', new DOMException('The operation timed out', 'TimeoutError'), 'nobody'],
  ['a name that is not there', ofFetch(withCode('ENOTFOUND')), 'no-name'],
  ['a resolver that is busy', withCode('EAI_AGAIN'), 'no-name'],
  ['a certificate that ended', ofFetch(withCode('CERT_HAS_EXPIRED')), 'no-trust'],
  ['a certificate for another name', withCode('ERR_TLS_CERT_ALTNAME_INVALID'), 'no-trust'],
  ['an authority that nobody knows', withCode('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'no-trust'],
  ['a connection that was closed', ofFetch(withCode('UND_ERR_SOCKET')), 'broken'],
  ['what is no error', 'ECONNREFUSED', 'broken'],
])('says why nobody was reached: %s', (_, error, why) => {
  expect(whyUnreached(error)).toBe(why)
})
