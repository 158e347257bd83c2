import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runAstroBuild } from '../../src/build/run-astro-build.ts'
import { readPictureFile } from '../../src/components/picture-file.ts'
import { launch } from '../support/browser.ts'
import { testBrowser } from '../support/test-browser.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const said = 'taken at home, 52.5200 N 13.4050 E'

let root: string
let names: readonly string[]
let published: readonly Buffer[]
let html: string

// A build with one page takes a tenth of the time of the whole site.
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'published-pictures-'))
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  const pages = join(root, 'src/pages')
  mkdirSync(pages, { recursive: true })
  const drawn = sharp({ create: { width: 900, height: 600, channels: 3, background: '#a42' } })
  const taken = await drawn
    .withExif({ IFD0: { ImageDescription: said } })
    .jpeg()
    .toBuffer()
  writeFileSync(join(pages, 'home.jpg'), taken)
  const authors = join(root, 'content/authors')
  mkdirSync(authors, { recursive: true })
  // Two files with different content, because equal files would be published as one.
  for (const name of ['IMG_1.JPG', 'nobody.jpg'])
    writeFileSync(join(authors, name), `${taken.toString('latin1')}${name}`, 'latin1')
  const colours = ['#a42', '#4a2', '#24a']
  const frames = await Promise.all(
    colours.map((background) =>
      sharp({ create: { width: 90, height: 60, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  writeFileSync(
    join(pages, 'wheel.webp'),
    await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer(),
  )
  const component = (name: string) => JSON.stringify(join(repository, 'src/components', name))
  const head = [
    `import Picture from ${component('picture.astro')}`,
    `import { findPortrait, hidePortraits } from ${component('portraits.ts')}`,
    "import { Image } from 'astro:assets'",
    "import home from './home.jpg'",
    "import wheel from './wheel.webp'",
    'await hidePortraits()',
    "const portrait = await findPortrait('IMG_1.JPG')",
  ].join('\n')
  writeFileSync(
    join(pages, 'index.astro'),
    `---\n${head}\n---\n<Picture src={home} alt="A house" />\n<Picture src={wheel} alt="A wheel" />\n<Picture src={home} alt="A door" />\n<Picture src={home} alt="A door" />\n<Image src={portrait} alt="A face" width={96} height={96} />\n`,
  )
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  const outDir = join(root, 'out')
  const env = { PATH: process.env['PATH'] ?? '', HOME: root, ASTRO_TELEMETRY_DISABLED: '1' }
  await runAstroBuild({ root, outDir, env })
  const files = readdirSync(outDir, { recursive: true, withFileTypes: true }).filter((item) => item.isFile())
  html = readFileSync(join(outDir, 'index.html'), 'utf8')
  names = files.map(({ name }) => name)
  published = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('a picture of a post is published in web sizes, and never as its original file', () => {
  const original = readFileSync(join(root, 'src/pages/home.jpg'))
  expect(original.includes(said)).toBe(true)
  // One file for the page, one for old browsers, and three widths.
  expect(published.length).toBeGreaterThan(3)
  expect(published.filter((bytes) => bytes.equals(original) || bytes.includes(said))).toEqual([])
})

it('of authors’ portraits only one that a page shows is published, in the size shown, whatever its file name', () => {
  expect(html).toMatch(/<img src="[^"]*IMG_1[^"]*\.webp"[^>]*? alt="A face"/)
  expect(names.filter((name) => /nobody|IMG_1/.test(name))).toEqual([expect.stringMatching(/^IMG_1\..*\.webp$/)])
})

it('an animation is published unchanged, because a format without frames would show them below each other', () => {
  const wheel = readFileSync(join(root, 'src/pages/wheel.webp'))
  expect(published.filter((bytes) => bytes.equals(wheel)).length).toBe(1)
  expect(html).toMatch(/<img src="[^"]*wheel[^"]*\.webp" width="90" height="60" alt="A wheel"/)
  expect(html).not.toMatch(/wheel[^"]*\.avif/)
})

it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('a truncated %s file is reported', async (format) => {
  const folder = mkdtempSync(join(root, 'cut-'))
  const pixels = Buffer.from(Array.from({ length: 90 * 60 * 3 }, (_, place) => (place * 7919) % 251))
  const whole = await sharp(pixels, { raw: { width: 90, height: 60, channels: 3 } })
    .toFormat(format)
    .toBuffer()
  const read = (bytes: Buffer) => {
    const fsPath = join(folder, `cat.${format}`)
    writeFileSync(fsPath, bytes)
    const file = { src: '', width: 90, height: 60, format: format === 'jpeg' ? ('jpg' as const) : format, fsPath }
    return readPictureFile(file)
  }
  expect(await read(whole)).toMatchObject({ width: 90, isAnimated: false })
  const cut = read(whole.subarray(0, whole.length / 2))
  await expect(cut).rejects.toThrow(/cat\.\w+: the picture is broken or its end is missing; put the whole file there/)
})

it('a drawing with the file extension of another format is reported, because browsers would not show it', async () => {
  const drawing = { src: '', width: 3, height: 2, format: 'svg' as const }
  expect(await readPictureFile({ ...drawing, ...{ fsPath: '/posts/cat.svg' } })).toMatchObject({ isAnimated: false })
  await expect(readPictureFile({ ...drawing, ...{ fsPath: '/posts/cat.png' } })).rejects.toThrow(
    /cat\.png: the picture is an SVG; let its name end with \.svg/,
  )
})

it('a picture that is shown twice on a page has a different element id each time, and its button opens it', () => {
  const ids = Array.from(html.matchAll(/ id="(picture-[^"]+)"/g), ([, id]) => id)
  const opened = Array.from(html.matchAll(/class="picture-enlarge" popovertarget="([^"]+)"/g), ([, id]) => id)
  expect(ids.length).toBe(3)
  expect(new Set(ids).size).toBe(3)
  expect(opened).toEqual(ids)
})

it('a picture fills the window when pressed, and closes on Escape or another press, without a script', async () => {
  const styles = join(repository, 'src/styles')
  const browser = await launch(testBrowser())
  try {
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await page.setViewportSize({ width: 390, height: 844 })
    const sheets = ['tokens', 'base', 'writing'].map((name) => readFileSync(join(styles, `${name}.css`), 'utf8'))
    await page.setContent(html.replace(/(?=<span class="picture-frame)/, `<style>${sheets.join('\n')}</style>`))
    const enlarged = page.locator('.lightbox').first()
    const open = page.getByRole('button', { name: 'Enlarge the picture: A house' })
    const close = page.getByRole('button', { name: 'Close the picture: A house' })
    expect(await enlarged.isVisible()).toBe(false)
    await open.click()
    const { width, height } = (await enlarged.boundingBox()) ?? { width: 0, height: 0 }
    expect([width, height]).toEqual([390, 844])
    await page.keyboard.press('Escape')
    expect(await enlarged.isVisible()).toBe(false)
    await open.focus()
    await page.keyboard.press('Enter')
    await close.click()
    expect(await enlarged.isVisible()).toBe(false)
  } finally {
    await browser.close()
  }
})
