import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMadeImages } from '../../src/build/images/made-images.ts'
import { openPostPictures, type PicturedPost } from '../../src/build/images/post-images.ts'
import { listen } from '../../src/http/listen.ts'
import { makeSecurityHeaders } from '../../src/http/security-headers.ts'
import { makeSendProblem } from '../../src/http/send-problem.ts'
import { readCoverTasks } from '../../src/images/cover-tasks.ts'
import { type CoverStudio, openCoverStudio } from '../../src/images/covers/make-cover.ts'
import { readDeferred } from '../../src/images/deferred-pictures.ts'
import { drawCover } from '../../src/images/draw-cover.ts'
import { type DeferredPictureStore, openDeferredPictures } from '../../src/images/open-deferred-pictures.ts'
import { readPostsToNarrate } from '../../src/narration/episodes/posts-to-narrate.ts'
import { makeServeDeferred } from '../../src/site/serve-deferred.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { writeSpokenPosts } from '../support/spoken-posts.ts'

const folder = mkdtempSync(join(tmpdir(), 'deferred-'))
const studio = openCoverStudio({ threads: 1 })
const spoken = { slug: 'older', title: 'About older', author: 'A', language: 'en', contentMarkdown: 'Words.' }

const post = (id: string, day: number): PicturedPost => ({
  id,
  data: {
    title: `About ${id}`,
    excerpt: 'A sentence.',
    publishedAt: new Date(Date.UTC(2026, 0, day)),
    cover: { style: 'editorial-minimal' },
  },
})
const posts = [post('older', 1), post('newer', 2)]

/** Builds with at most `perBuild` posts drawn; drawings are shared through the cache when that is shared. */
async function build(name: string, perBuild: number) {
  const press = openMadeImages(join(folder, `${name}-cache`))
  const pictures = openPostPictures(press, perBuild)
  const out = join(folder, name)
  mkdirSync(join(out, 'client/_astro'), { recursive: true })
  const images = await Promise.all(posts.map((each) => pictures.get(each)))
  await pictures.write(out)
  await press.close()
  writeSpokenPosts(buildFiles(out).privateTexts, [spoken])
  return { images, out, files: readdirSync(join(out, 'client/_astro')).sort() }
}

let whole: Awaited<ReturnType<typeof build>>
let some: Awaited<ReturnType<typeof build>>
beforeAll(async () => {
  whole = await build('whole', 2)
  some = await build('some', 1)
})
afterAll(async () => {
  await studio.close()
  rmSync(folder, { recursive: true, force: true })
})

const deferredOf = ({ out }: typeof some) => readDeferred(buildFiles(out).deferredPictures)
const nameOf = (type: string) => whole.files.find((file) => file.startsWith('older-') && file.endsWith(type)) ?? ''

/** A store with a folder of its own, whose pictures this studio draws. */
function openStore(name: string, draws: Pick<CoverStudio, 'makeEditions'>, now: () => number = Date.now) {
  const faults: unknown[] = []
  const report = (error: unknown) => void faults.push(error)
  const store = openDeferredPictures({ folder: join(folder, name), studio: draws, report, now })
  store.expect(deferredOf(some))
  return { store, faults }
}

const draw = (store: DeferredPictureStore, name: string) => {
  const picture = store.find(name)
  return picture ? store.draw(picture.drawing) : Promise.resolve(undefined)
}

describe('a build that leaves pictures to the site', () => {
  it('makes the same pages, and draws only the pictures of the newest posts', () => {
    expect(some.images).toEqual(whole.images)
    expect(some.files.map((file) => file.split('-')[0])).toEqual(Array.from(some.files, () => 'newer'))
    expect(whole.files.filter((file) => file.startsWith('newer'))).toEqual(some.files)
    expect(deferredOf(some).tasks.map(({ source }) => source.title)).toEqual(['About older'])
    expect(existsSync(buildFiles(whole.out).deferredPictures)).toBe(false)
  })

  it('gives a narration the same key as if all pictures were drawn, and its cover task draws the same picture', async () => {
    const keyOf = ({ out }: typeof some) => readPostsToNarrate(buildFiles(out).privateTexts, { album: 'Press' })[0]
    expect(keyOf(some)?.coverFile).toBeUndefined()
    expect(keyOf(some)?.storageKey).toBe(keyOf(whole)?.storageKey)
    const { privateCovers } = buildFiles(some.out)
    const { older } = readCoverTasks(privateCovers)
    const drawn = older && (await drawCover(older))
    const built = readFileSync(join(buildFiles(whole.out).privateCovers, 'older.jpg'))
    expect(Buffer.compare(built, drawn ?? Buffer.of())).toBe(0)
  })
})

describe('the pictures that a build left to the site', () => {
  it('are drawn once for all requests, with the same bytes as in a build, and are kept', async () => {
    let drawn = 0
    const makeEditions: CoverStudio['makeEditions'] = (task) => {
      drawn += 1
      return studio.makeEditions(task)
    }
    const { store } = openStore('data', { makeEditions })
    const names = whole.files.filter((file) => file.startsWith('older'))
    // Two processes use one data folder.
    const { store: other } = openStore('data', { makeEditions })
    const [asked] = await Promise.all([store, other].map((each) => Promise.all(names.map((name) => draw(each, name)))))
    if (!asked) throw new Error('nothing was asked for')
    for (const [at, name] of names.entries()) {
      const file = asked[at]?.[store.find(name)?.place ?? -1]
      const built = readFileSync(join(whole.out, 'client/_astro', name))
      expect([name, Buffer.compare(readFileSync(file?.path ?? ''), built)]).toEqual([name, 0])
    }
    const later = openStore('data', { makeEditions })
    expect(await draw(later.store, nameOf('avif'))).toEqual(asked[0])
    expect(await later.store.drawAll(AbortSignal.timeout(60_000))).toBe(0)
    expect(drawn).toBe(1)
    expect(readdirSync(join(folder, 'data'))).toHaveLength(1)
  })

  it('are found by exactly the names in the build', () => {
    const { store } = openStore('named', studio)
    const name = nameOf('avif')
    expect(store.find(name)?.name).toBe(name)
    const others = [
      name.replace('older', 'other'),
      name.replace(/-\d+-/, '-481-'),
      `../${name}`,
      'older-480-0000000000.avif',
      '',
    ]
    expect(others.map(store.find)).toEqual(others.map(() => undefined))
  })

  it('are not tried again for each request when drawing fails', async () => {
    let [tried, time] = [0, 0]
    const makeEditions = async () => {
      tried += 1
      throw new Error('the disk is full')
    }
    const { store, faults } = openStore('failing', { makeEditions }, () => time)
    const ask = () => Promise.all(Array.from({ length: 5 }, () => draw(store, nameOf('avif'))))
    expect([...(await ask()), ...(await ask())]).toEqual(Array.from({ length: 10 }, () => undefined))
    expect([tried, faults.length]).toEqual([1, 1])
    time += 61_000
    await ask()
    expect(tried).toBe(2)
  })

  it('are still found for pages of the previous builds, which are open in browsers', () => {
    const { store } = openStore('replaced', studio)
    for (const times of [1, 2]) {
      store.expect({ engine: '', tasks: [] })
      expect([times, store.find(nameOf('avif'))?.name]).toEqual([times, nameOf('avif')])
    }
    store.expect({ engine: '', tasks: [] })
    expect(store.find(nameOf('avif'))).toBeUndefined()
  })
})

describe('a request for a picture that is not drawn yet', () => {
  it('gets an uncacheable placeholder in a page and a 503 for a preview, and later the picture as immutable', async () => {
    const gate = Promise.withResolvers<void>()
    const makeEditions: CoverStudio['makeEditions'] = (task) => gate.promise.then(() => studio.makeEditions(task))
    const { store } = openStore('served', { makeEditions })
    const security = makeSecurityHeaders('http://press.example')
    const sendProblem = makeSendProblem({ baseUrl: 'http://press.example', security })
    const patienceMs = { page: 1, preview: 1 }
    const serve = makeServeDeferred({ pictures: store, security, sendProblem, patienceMs })
    const server = createServer((req, res) => {
      if (!serve(req, res, req.url ?? '')) res.writeHead(404).end()
    })
    const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
    const ask = (name: string) => fetch(`http://127.0.0.1:${port}/_astro/${name}`)
    try {
      const standIn = await ask(nameOf('avif'))
      expect([standIn.status, standIn.headers.get('cache-control')]).toEqual([200, 'no-store'])
      const { width, height } = await sharp(Buffer.from(await standIn.arrayBuffer())).metadata()
      const { width: wide, height: high } = await sharp(join(whole.out, 'client/_astro', nameOf('avif'))).metadata()
      expect([width, height]).toEqual([wide, high])
      const preview = await ask(nameOf('jpg'))
      expect([preview.status, preview.headers.has('retry-after')]).toEqual([503, true])
      expect((await ask('older-480-0000000000.avif')).status).toBe(404)
      gate.resolve()
      Object.assign(patienceMs, { page: 20_000, preview: 20_000 })
      await draw(store, nameOf('jpg'))
      for (const [type, name] of [
        ['image/avif', nameOf('avif')],
        ['image/jpeg', nameOf('jpg')],
      ]) {
        const answer = await ask(name ?? '')
        const { headers } = answer
        expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
          type,
          'public, max-age=31536000, immutable',
        ])
        const bytes = Buffer.from(await answer.arrayBuffer())
        expect(Buffer.compare(bytes, readFileSync(join(whole.out, 'client/_astro', name ?? '')))).toBe(0)
      }
    } finally {
      server.close()
    }
  })
})
