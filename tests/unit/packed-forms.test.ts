import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packEarly } from '../../src/build/pack-early.ts'
import { openPacker, toEtag } from '../../src/build/packed-forms.ts'
import { notNarratedMarks, placeholderMarks } from '../../src/narration/placeholders/placeholders.ts'

const toBody = (word: string) => Buffer.from(`${word} farthing saved `.repeat(200))

describe('a packer', () => {
  it('compresses a body that it began early to the same bytes as others', async () => {
    const [early, late] = [openPacker(), openPacker()]
    const bodies = ['a', 'b', 'c', 'd', 'e'].map(toBody)
    for (const body of [...bodies, ...bodies]) early.begin(body)
    for (const body of bodies) {
      const { br, gz } = await early.pack(body, toEtag(body))
      expect({ br, gz }).toEqual(await late.pack(body, toEtag(body)))
      expect(brotliDecompressSync(br ?? '')).toEqual(body)
      expect(gunzipSync(gz ?? '')).toEqual(body)
    }
  })

  it('keeps an early result for one use, and compresses again for a later one', async () => {
    const packer = openPacker()
    const body = toBody('a')
    packer.begin(body)
    const [first, second] = [packer.pack(body, toEtag(body)), packer.pack(body, toEtag(body))]
    expect(second).not.toBe(first)
    expect(await second).toEqual(await first)
  })

  it('keeps no more than its limit, and has room again after a result was used', async () => {
    const [first, second] = ['a', 'b'].map(toBody)
    if (!first || !second) throw new Error('there are two')
    const packer = openPacker({ maxBytes: first.length })
    packer.begin(first)
    packer.begin(second)
    expect(packer.begun()).toEqual([toEtag(first)])
    await packer.pack(first, toEtag(first))
    packer.begin(second)
    expect(packer.begun()).toEqual([toEtag(second)])
  })

  it('compresses a body that was wrongly expected to be available', async () => {
    const packer = openPacker({ isKnown: () => true })
    const body = toBody('a')
    packer.begin(body)
    expect(packer.begun()).toEqual([])
    expect(await packer.pack(body, toEtag(body))).toEqual(await openPacker().pack(body, toEtag(body)))
  })
})

describe('a rendered page', () => {
  async function render(path: string, text: string, type: string) {
    const begun: string[] = []
    const written = {
      name: 'test',
      getStaticPaths: async () => [],
      render: async () => new Response(text, { status: 203, headers: { 'content-type': type, link: '</x>' } }),
    }
    const prerenderer = packEarly(
      written,
      { begin: (body) => void begun.push(body.toString()) },
      (asked) => !asked.startsWith('/private/'),
    )
    const request = new Request(`http://localhost${path}`)
    // The route data is not used.
    const rendered = await prerenderer.render(request, { routeData: undefined as never })
    const response = rendered instanceof Response ? rendered : rendered.response
    expect([response.status, response.headers.get('link'), await response.text()]).toEqual([203, '</x>', text])
    return begun
  }

  it('is compressed as it is served: a page without placeholders, a text unchanged', async () => {
    const { open, close } = placeholderMarks('a')
    const page = `<p>${open}heard%%x%%${close}${notNarratedMarks.open}quiet${notNarratedMarks.close}</p>`
    expect(await render('/posts/a', page, 'text/html')).toEqual(['<p>quiet</p>'])
    expect(await render('/posts/b', '<p>é</p>', 'text/html')).toEqual(['<p>é</p>'])
    expect(await render('/posts/a.md', page, 'text/markdown')).toEqual([page])
  })

  it('is not compressed if it is not served, or if that saves nothing', async () => {
    expect(await render('/private/all.txt', 'sold', 'text/plain')).toEqual([])
    expect(await render('/a.jpg', 'picture', 'image/jpeg')).toEqual([])
  })
})
