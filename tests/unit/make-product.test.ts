import { expect, it } from 'vitest'
import { makeProduct } from '../../src/payments/purchase/make-product.ts'
import { heldBytes } from '../support/heap.ts'
import { leaflet } from '../support/test-shop.ts'

const stop = new AbortController()
const mebibyte = 1024 * 1024

it('releases a product and its request when the work is done, not when its deadline passes', async () => {
  const before = heldBytes()
  const make = async () => ({ mimeType: 'text/plain', body: new Uint8Array(mebibyte).fill(1) })
  for (let at = 0; at < 50; at++) {
    const { body } = await makeProduct(leaflet, make, 'a key', AbortSignal.any([stop.signal]))
    expect(body.length).toBe(mebibyte)
  }
  // Unreferenced buffers are freed in the background, soon after; the deadline of the work was 20 seconds.
  await expect.poll(() => heldBytes() - before).toBeLessThan(5 * mebibyte)
})

it('aborts the work at its deadline, with a reason that says so', async () => {
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

it('aborts the work when its buyer has gone, with the reason given', async () => {
  const gone = new AbortController()
  const making = makeProduct(leaflet, () => new Promise(() => {}), 'a key', gone.signal)
  gone.abort(new Error('hung up'))
  await expect(making).rejects.toThrow('hung up')
  await expect(makeProduct(leaflet, () => new Promise(() => {}), 'a key', gone.signal)).rejects.toThrow('hung up')
})
