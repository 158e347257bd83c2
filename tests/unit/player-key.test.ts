import { afterEach, expect, it, vi } from 'vitest'
import { keepPlayerKey, readPlayerKey } from '../../game-server/pages/client/player-key.ts'

const blocked = (): never => {
  throw new DOMException('Access is denied for this document', 'SecurityError')
}

afterEach(() => vi.unstubAllGlobals())

it('is kept until the page is closed in a browser without storage, so that a broken connection does not end a life', () => {
  vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked, removeItem: blocked })
  expect(readPlayerKey()).toBeUndefined()
  keepPlayerKey({ name: 'Ada', token: 'rt_ada' })
  expect(readPlayerKey()).toEqual({ name: 'Ada', token: 'rt_ada' })
  keepPlayerKey(undefined)
  expect(readPlayerKey()).toBeUndefined()
})
