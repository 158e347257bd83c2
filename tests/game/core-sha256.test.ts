import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hmacSha256, sha256 } from '../../game-server/core/sha256.ts'
import { figure } from '../support/figures.ts'

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const runs = { numRuns: figure(300, 20_000) }
/** Lengths from none to several blocks, so that every padding position occurs. */
const bytes = fc.uint8Array({ maxLength: 300 })

it('gives the digests of the examples in FIPS 180-4', () => {
  expect(toHex(sha256(new TextEncoder().encode('abc')))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  expect(toHex(sha256(new Uint8Array()))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

it('gives the same result as the crypto module of Node.js, for any input and any key length', () => {
  for (let length = 0; length < 200; length++) {
    const zeros = new Uint8Array(length)
    expect(toHex(sha256(zeros))).toBe(createHash('sha256').update(zeros).digest('hex'))
  }
  fc.assert(
    fc.property(bytes, bytes, (key, message) => {
      expect(toHex(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'))
      expect(toHex(hmacSha256(key, message))).toBe(createHmac('sha256', key).update(message).digest('hex'))
    }),
    runs,
  )
})
