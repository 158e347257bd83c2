import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { makeClientAddress } from '../../src/http/client-address.ts'

function requestWith(forwarded?: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return request
}

it('uses the address of the peer when no proxy is trusted', () => {
  expect(makeClientAddress(0)(requestWith('203.0.113.9'))).toBe('127.0.0.1')
})

it.each([
  ['203.0.113.9', 1, '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9', 1, '203.0.113.9'],
  ['198.51.100.1,203.0.113.9, 10.0.0.2', 2, '203.0.113.9'],
  ['', 1, '127.0.0.1'],
  [undefined, 1, '127.0.0.1'],
  ['203.0.113.9', 2, '127.0.0.1'],
  ['203.0.113.9:51234', 1, '203.0.113.9'],
  ['[2001:db8::1]:443', 1, '2001:db8::1'],
  ['[2001:DB8:0:0::1]', 1, '2001:db8::1'],
  ['fe80::1%a:b:c:d:e:f', 1, 'fe80::1'],
  ['::ffff:cb00:7109', 1, '::ffff:203.0.113.9'],
  ['unknown', 1, '127.0.0.1'],
  ['_hidden', 1, '127.0.0.1'],
  ['203.0.113.9.1', 1, '127.0.0.1'],
  ['[2001:db8::1]x', 1, '127.0.0.1'],
  ['x'.repeat(8000), 1, '127.0.0.1'],
])('reads from %j, behind %d proxies, the client address %s', (forwarded, proxies, address) => {
  expect(makeClientAddress(proxies)(requestWith(forwarded))).toBe(address)
})

it('warns once about an undeclared proxy, or one that sends another header', () => {
  const noted: string[] = []
  const own = makeClientAddress(0, (note) => noted.push(note))
  own(requestWith())
  expect(noted).toEqual([])
  for (let request = 0; request < 100; request++) own(requestWith(`203.0.113.${request}`))
  expect(noted).toEqual([expect.stringContaining('TRUSTED_PROXIES')])
  const other = makeClientAddress(1, (note) => noted.push(note))
  expect(other(requestWith())).toBe('127.0.0.1')
  expect(noted).toHaveLength(1)
  const request = requestWith()
  request.headers.forwarded = 'for=203.0.113.9'
  for (let again = 0; again < 100; again++) expect(other(request)).toBe('127.0.0.1')
  expect(noted.slice(1)).toEqual([expect.stringContaining('X-Forwarded-For')])
})
