import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { makeClientAddress } from '../../src/server/client-address.ts'

function requestWith(forwarded?: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return request
}

it('believes nobody but the peer when no proxy is trusted', () => {
  expect(makeClientAddress(0)(requestWith('203.0.113.9'))).toBe('127.0.0.1')
})

it.each([
  ['203.0.113.9', 1, '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9', 1, '203.0.113.9'],
  ['198.51.100.1,203.0.113.9, 10.0.0.2', 2, '203.0.113.9'],
  ['', 1, '127.0.0.1'],
  [undefined, 1, '127.0.0.1'],
  ['203.0.113.9', 2, '127.0.0.1'],
])('reads from %j, behind %d proxies, that %s asks', (forwarded, proxies, address) => {
  expect(makeClientAddress(proxies)(requestWith(forwarded))).toBe(address)
})
