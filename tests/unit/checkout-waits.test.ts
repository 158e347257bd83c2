import { afterEach, expect, it, vi } from 'vitest'
import { send } from '../../src/checkout/send.ts'

afterEach(() => vi.unstubAllGlobals())

const validBefore = String(Math.floor(Date.now() / 1000) + 220)
const header = btoa(JSON.stringify({ payload: { authorization: { validBefore } } }))

it.each([
  ['2', 2_000],
  ['0', 3_000],
  [new Date().toUTCString(), 3_000],
  // A proxy may send this without knowing that the payment expires in some minutes.
  ['3600', 60_000],
  ['99999999999', 60_000],
])(
  'a page that is told to ask for its payment again after "%s" waits, and never for more than a minute',
  async (asked, waitMs) => {
    vi.stubGlobal('localStorage', { getItem: () => null, setItem() {}, removeItem() {} })
    vi.stubGlobal('fetch', async () => new Response('busy', { status: 503, headers: { 'retry-after': asked } }))
    expect(await send({ id: 'a', method: 'GET', path: '/a', header })).toMatchObject({ is: 'pending', waitMs })
  },
)
