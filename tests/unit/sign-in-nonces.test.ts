import { expect, it } from 'vitest'
import { makeSignInTimes } from '../../src/payments/sign-in/sign-in-extension.ts'
import { makeSignInNonces, signInMinutes } from '../../src/payments/sign-in/sign-in-nonces.ts'

const minuteMs = 60_000
const clock = { ms: 1_800_000_000_000 }
const nonces = makeSignInNonces('a secret of this shop', () => clock.ms)

it('are never the same, and recognized as ours', () => {
  const drawn = Array.from({ length: 2000 }, () => nonces.draw())
  expect(new Set(drawn).size).toBe(2000)
  expect(drawn.filter((nonce) => !/^[0-9a-f]{36}$/.test(nonce) || !nonces.isOurs(nonce))).toEqual([])
})

it('are valid for as long as a wallet may take to sign, also in another process of the shop', () => {
  const other = makeSignInNonces('a secret of this shop', () => clock.ms)
  const nonce = nonces.draw()
  clock.ms += signInMinutes * minuteMs
  expect([nonces.isOurs(nonce), other.isOurs(nonce)]).toEqual([true, true])
  clock.ms += minuteMs
  expect([nonces.isOurs(nonce), other.isOurs(nonce)]).toEqual([false, false])
})

it('state the minute in which they are drawn, however few were drawn before', () => {
  nonces.draw()
  clock.ms += (signInMinutes + 1) * minuteMs
  expect(nonces.isOurs(nonces.draw())).toBe(true)
})

it('are valid for no other secret, and for no other time than they state', () => {
  const nonce = nonces.draw()
  const later = (Number.parseInt(nonce.slice(0, 8), 16) + 1).toString(16).padStart(8, '0') + nonce.slice(8)
  const stranger = makeSignInNonces('another secret', () => clock.ms).draw()
  clock.ms += 2 * minuteMs
  expect([stranger, later, '', `${nonce}0`].map((text) => nonces.isOurs(text))).toEqual([false, false, false, false])
})

it('are accepted from another program of the shop whose clock is up to five seconds ahead', () => {
  const startMs = 1_800_000_000_000
  const drawn = makeSignInNonces('a secret of this shop', () => startMs).draw()
  const isOursBefore = (ms: number) => makeSignInNonces('a secret of this shop', () => startMs - ms).isOurs(drawn)
  expect([5000, 5001].map(isOursBefore)).toEqual([true, false])
})

it('come with the time at which they are issued, and the time at which the message expires', () => {
  const times = makeSignInTimes(() => clock.ms)
  clock.ms = Date.parse('2027-01-15T08:00:00.123Z')
  const first = { issuedAt: '2027-01-15T08:00:00.123Z', expirationTime: '2027-01-15T08:10:00.123Z' }
  expect([times(), times()]).toMatchObject([first, first])
  clock.ms += 1
  expect(times()).toMatchObject({ issuedAt: '2027-01-15T08:00:00.124Z', expirationTime: '2027-01-15T08:10:00.124Z' })
})
