import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepPlayerKey } from '../../game-server/pages/client/player-key.ts'
import { makePlayerProof } from '../../game-server/pages/client/player-proof.ts'

const ada = { name: 'Ada', token: 'rt_ada' }
const bo = { name: 'Bo', token: 'rt_bo' }

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

it('joins with the stored key, and under the name that was entered when there is none', () => {
  const proof = makePlayerProof()
  proof.enter({ name: 'Cy', token: '' })
  expect(proof.show()).toEqual({ name: 'Cy' })
  proof.accept(ada)
  expect(proof.show()).toEqual(ada)
})

it('joins with an entered token before the stored key, until the host has answered', () => {
  keepPlayerKey(ada)
  const proof = makePlayerProof()
  proof.enter(bo)
  expect(proof.show()).toEqual(bo)
  expect(proof.refuse()).toBe(false)
  expect([proof.show(), proof.former()]).toEqual([ada, undefined])
})

it('does not send a refused key again, offers it, and sends one that another window has stored since', () => {
  keepPlayerKey(ada)
  const proof = makePlayerProof()
  proof.show()
  expect(proof.refuse()).toBe(false)
  expect([proof.show(), proof.former()]).toEqual([{ name: 'Ada' }, ada])
  keepPlayerKey(bo)
  expect([proof.show(), proof.former()]).toEqual([bo, undefined])
})
