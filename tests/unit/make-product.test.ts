import { expect, it } from 'vitest'
import { makeProduct } from '../../src/payments/purchase/make-product.ts'
import { heldBytes } from '../support/heap.ts'
import { leaflet } from '../support/test-shop.ts'

const stop = new AbortController()
const mebibyte = 1024 * 1024

it('lets go of a product and of the request when the work is done, not when its time would have run out', async () => {
  const before = heldBytes()
  const make = async () => ({ mimeType: 'text/plain', body: new Uint8Array(mebibyte).fill(1) })
  for (let at = 0; at < 50; at++) {
    const { body } = await makeProduct(leaflet, make, 'a key', AbortSignal.any([stop.signal]))
    expect(body.length).toBe(mebibyte)
  }
  // Buffers that nobody holds are taken back beside the program, soon after; the work had 20 seconds.
  await expect.poll(() => heldBytes() - before, { timeout: 5000 }).toBeLessThan(5 * mebibyte)
})

it('ends the work at its deadline, with a reason that says so', async () => {
  const brief = { ...leaflet, workSeconds: 0.05 }
  let until: AbortSignal | undefined
  const making = makeProduct(
    brief,
    (signal) => {
      until = signal
      return new Promise(() => {})
    },
    'a key',
    stop.signal,
  )
  await expect(making).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(until?.aborted).toBe(true)
})

it('ends the work where its buyer has gone, with the reason of whoever ended it', async () => {
  const gone = new AbortController()
  const making = makeProduct(leaflet, () => new Promise(() => {}), 'a key', gone.signal)
  gone.abort(new Error('hung up'))
  await expect(making).rejects.toThrow('hung up')
  await expect(makeProduct(leaflet, () => new Promise(() => {}), 'a key', gone.signal)).rejects.toThrow('hung up')
})
