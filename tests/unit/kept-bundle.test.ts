import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasBundle, keepBundle, openBundle, takeBundle } from '../../src/build/repeated/kept-bundle.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'

let root: string
const write = (name: string, content: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), content)
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bundle-'))
})
afterEach(() => {
  rmSync(root, { recursive: true, force: true })
  Reflect.deleteProperty(globalThis, 'astroAsset')
})

describe('the bundle of a build', () => {
  const outDir = () => join(root, 'out')
  /** A page that says what a picture is called. */
  const page = `export const app = {
    setInternals() {},
    setOptions() {},
    render: async () => new Response(globalThis.astroAsset.addStaticImage({}, [], undefined)),
  }`
  const keep = async () => {
    write('out/server/entry.cjs', '')
    write('out/server/.prerender/prerender-entry.x.mjs', page)
    await keepBundle({ root, outDir: outDir(), pages: new Map() }, [])
  }

  it('is kept for the next one', async () => {
    await keep()
    expect(hasBundle(outDir(), root)).toBe(true)
  })

  it('is not kept where Astro makes pictures, whose originals it removes: the next build would miss them', async () => {
    Reflect.set(globalThis, 'astroAsset', { staticImages: new Map([['/_astro/cat.png', {}]]) })
    await keep()
    expect(hasBundle(outDir(), root)).toBe(false)
  })

  it('writes no page that asks for a picture which was in none before, such as that of an author of a first post', async () => {
    await keep()
    const prerenderer = await openBundle(outDir())
    const [request, options] = [new Request('https://press.example/'), { routeData: {} as never }]
    await expect(prerenderer.render(request, options)).rejects.toThrow('which only a whole build can make')
  })

  it('comes with the files of the publisher as Astro has them: what links lead to, in folders that can be written', async () => {
    await keep()
    write('elsewhere/paper.pdf', 'paper')
    write('public/more/a.txt', 'a')
    symlinkSync(join(root, 'elsewhere/paper.pdf'), join(root, 'public/paper.pdf'))
    symlinkSync(join(root, 'elsewhere'), join(root, 'public/papers'))
    const next = join(root, 'next')
    await takeBundle(outDir(), { root, outDir: next })
    const { client, bundle } = buildFiles(next)
    for (const name of ['paper.pdf', 'papers/paper.pdf', 'more/a.txt'])
      expect([name, lstatSync(join(client, name)).isFile()]).toEqual([name, true])
    expect(readFileSync(join(client, 'paper.pdf'), 'utf8')).toBe('paper')
    expect(existsSync(join(bundle, 'prerender-entry.x.mjs'))).toBe(true)
  })
})
