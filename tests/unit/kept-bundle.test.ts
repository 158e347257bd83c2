import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasBundle, keepBundle, openBundle, takeBundle } from '../../src/build/repeated/kept-bundle.ts'
import { readStaticManifest } from '../../src/http/static/static-manifest.ts'
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
  const built = () => ({ folder: outDir(), manifest: readStaticManifest(buildFiles(outDir()).manifest) })
  /** A rendered page whose body is the address of a picture of a cat. */
  const page = `export const app = {
    setInternals() {},
    setOptions() {},
    render: async () =>
      new Response(globalThis.astroAsset.addStaticImage({ src: { src: '/_astro/cat.x.jpg' }, width: 480 }, ['src', 'width'])),
  }`
  const cat = {
    original: '/_astro/cat.x.jpg',
    asked: '["/_astro/cat.x.jpg",null,480]',
    address: '/_astro/cat.x_1.avif',
  }
  const keep = async (pictures = [cat], earlier?: string) => {
    write('out/server/entry.cjs', '')
    write('out/server/.prerender/prerender-entry.x.mjs', page)
    write('out/client/_astro/styles.css', '')
    await keepBundle(
      { root, outDir: outDir(), earlier, pages: new Map() },
      { assets: ['styles.css', 'cat.x.jpg'], pictures },
    )
    list('_astro/styles.css')
  }
  /** Lists the files that the build serves in its manifest. */
  const list = (...files: string[]) => {
    const entries = files.map((file) => [`/${file}`, { file, size: 0, type: '', etag: '', cache: '' }])
    write('out/manifest.json', JSON.stringify(Object.fromEntries(entries)))
  }
  /** Renders a page in the next build. */
  const renderNext = async () => {
    await takeBundle(built(), { root, outDir: join(root, 'next') })
    const prerenderer = await openBundle({ outDir: join(root, 'next'), earlier: outDir() })
    const answer = await prerenderer.render(new Request('https://press.example/'), { routeData: {} as never })
    return answer instanceof Response ? await answer.text() : answer
  }

  it('is kept for the next build', async () => {
    await keep()
    expect(hasBundle(outDir(), root)).toBe(true)
  })

  it('knows the pictures that Astro has made, and has the files of those that pages show in original form', async () => {
    await keep()
    write('out/client/_astro/cat.x_1.avif', '')
    expect(await renderNext()).toBe('/_astro/cat.x_1.avif')
    expect(readdirSync(join(root, 'next/client/_astro'))).toEqual(['styles.css'])
    write('out/client/_astro/cat.x.jpg', '')
    list('_astro/styles.css', '_astro/cat.x.jpg')
    rmSync(join(root, 'next'), { recursive: true })
    await renderNext()
    expect(readdirSync(join(root, 'next/client/_astro'))).toEqual(['cat.x.jpg', 'styles.css'])
  })

  it('is not used if a file is missing that the earlier build served, such as an original picture', async () => {
    await keep()
    list('_astro/styles.css', '_astro/cat.x.jpg')
    await expect(takeBundle(built(), { root, outDir: join(root, 'next') })).rejects.toThrow('ENOENT')
  })

  it('still knows pictures that no rendered page requested in between, because their pages were reused', async () => {
    await keep()
    await cp(outDir(), join(root, 'earlier'), { recursive: true })
    await keep([], join(root, 'earlier'))
    write('out/client/_astro/cat.x_1.avif', '')
    expect(await renderNext()).toBe('/_astro/cat.x_1.avif')
  })

  it('fails a page that requests a picture that no earlier page had, such as that of a new author', async () => {
    await keep([{ ...cat, asked: '["/_astro/cat.x.jpg",null,96]' }])
    await expect(renderNext()).rejects.toThrow('a picture of /_astro/cat.x.jpg, which only a whole build can make')
  })

  it('fails a page that requests a picture whose file is missing', async () => {
    await keep()
    await expect(renderNext()).rejects.toThrow('which only a whole build can make')
  })

  it('comes with the public files as Astro copies them: links resolved, in writable folders', async () => {
    await keep()
    write('elsewhere/paper.pdf', 'paper')
    write('public/more/a.txt', 'a')
    symlinkSync(join(root, 'elsewhere/paper.pdf'), join(root, 'public/paper.pdf'))
    symlinkSync(join(root, 'elsewhere'), join(root, 'public/papers'))
    const next = join(root, 'next')
    await takeBundle(built(), { root, outDir: next })
    const { client, bundle } = buildFiles(next)
    for (const name of ['paper.pdf', 'papers/paper.pdf', 'more/a.txt'])
      expect([name, lstatSync(join(client, name)).isFile()]).toEqual([name, true])
    expect(readFileSync(join(client, 'paper.pdf'), 'utf8')).toBe('paper')
    expect(existsSync(join(bundle, 'prerender-entry.x.mjs'))).toBe(true)
  })
})
