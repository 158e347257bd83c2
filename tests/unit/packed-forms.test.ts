import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openPacker, toEtag } from '../../src/build/packed-forms.ts'

/** A file that was begun is not read again. */
const never = (): Buffer => {
  throw new Error('it is read')
}
const toBody = (word: string) => Buffer.from(`${word} farthing saved `.repeat(200))

describe('a packer', () => {
  it('compresses a body that it began early to the same bytes as others', async () => {
    const [early, late] = [openPacker(), openPacker()]
    const bodies = ['a', 'b', 'c', 'd', 'e'].map(toBody)
    for (const body of [...bodies, ...bodies]) early.begin(body)
    for (const body of bodies) {
      const { br, gz } = await early.pack(toEtag(body), never)
      expect({ br, gz }).toEqual(await late.pack(toEtag(body), () => body))
      expect(brotliDecompressSync(br ?? '')).toEqual(body)
      expect(gunzipSync(gz ?? '')).toEqual(body)
    }
  })

  it('keeps an early result for one use, and compresses again for a later one', async () => {
    const packer = openPacker()
    const body = toBody('a')
    expect(packer.begin(body)).toBe(toEtag(body))
    const first = await packer.pack(toEtag(body), never)
    let isRead = false
    const second = packer.pack(toEtag(body), () => {
      isRead = true
      return body
    })
    expect(await second).toEqual(first)
    expect(isRead).toBe(true)
  })

  it('keeps no more than its limit, and has room again after a result was used', async () => {
    const [first, second] = ['a', 'b'].map(toBody)
    if (!first || !second) throw new Error('there are two')
    const packer = openPacker({ maxBytes: first.length })
    packer.begin(first)
    packer.begin(second)
    expect(packer.begun()).toEqual([toEtag(first)])
    await packer.pack(toEtag(first), never)
    packer.begin(second)
    expect(packer.begun()).toEqual([toEtag(second)])
  })

  it('compresses a body that was wrongly expected to be available', async () => {
    const packer = openPacker({ isKnown: () => true })
    const body = toBody('a')
    packer.begin(body)
    expect(packer.begun()).toEqual([])
    expect(await packer.pack(toEtag(body), () => body)).toEqual(await openPacker().pack(toEtag(body), () => body))
  })
})
