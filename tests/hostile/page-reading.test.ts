import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { htmlToMarkdown } from '../../functions/llms-pack/html/html-to-markdown.ts'
import { openPageReader } from '../../functions/llms-pack/reading/open-page-reader.ts'
import { toLogText } from '../../src/core/log.ts'
import { cpuMsOf, usualCpuMs } from '../support/cpu-ms.ts'
import { drawLines, makePdf } from '../support/make-pdf.ts'

const pageBytes = 2_000_000
const mostCpuMs = 250
/** The CPU time in ms within which six pages are copied to the worker; reading one of them takes longer. */
const mostCopyMs = 500
/** The CPU time in ms within which a few KB are sent to the worker, and its answer is received. */
const mostSendMs = 100

const filled = (unit: string) => () => unit.repeat(Math.ceil(pageBytes / unit.length)).slice(0, pageBytes)
const around = (before: string, unit: string, after: string) => () => before + filled(unit)() + after

/** Pages that are slow for readers that build trees, backtrack, or copy what they have read so far. */
const pages: Readonly<Record<string, () => string>> = {
  'open divs': filled('<div>'),
  'divs with text': filled('<div>x'),
  'divs that are closed again': () => '<div>'.repeat(180_000) + '</div>'.repeat(180_000),
  'pictures inside text inside pictures': filled('<svg><foreignObject>'),
  'tables in tables': filled('<table><tr><td>'),
  'one row of many cells': around('<table><tr>', '<td>x', ''),
  'many rows': around('<table>', '<tr><td>x<td>y', ''),
  'cells that span everything': around('<table>', '<tr><th>x<td rowspan=999 colspan=999>y', ''),
  'lists in lists': filled('<ul><li>'),
  'items without a list': filled('<li>x'),
  'terms in terms': filled('<dl><dt><dd>'),
  'quotations in quotations': filled('<blockquote>x'),
  paragraphs: filled('<p>x'),
  'ends of nothing': filled('</p>'),
  'marks that cross': filled('<b><p>x</b></p>'),
  'marks in marks': filled('<b><i>'),
  links: filled('<a href="/some/where">text of it</a> '),
  headings: filled('<h1>x'),
  'broken lines': filled('x<br>'),
  rules: filled('<hr>'),
  'names of one use': () => Array.from({ length: 200_000 }, (_, at) => `<x${at}>y`).join(''),
  'listings of lines': filled('<pre><div>x'),
  'backticks in code': filled('<code>`'),
  backticks: filled('`'),
  backslashes: filled('\\'),
  'signs that begin tags': filled('<'),
  'half comments': filled('<!--'),
  'half declarations': filled('<!'),
  'half instructions': filled('<?'),
  'half ends': filled('</'),
  'half scripts': filled('<script'),
  scripts: filled('<script>'),
  'a script that never ends': around('<script>', '</scrip', ''),
  'a field that never ends': around('<textarea>', '</textare', ''),
  'a title that never ends': filled('<title>'),
  'a comment that never ends': around('<!--', '--', ''),
  'character data': filled('<![CDATA['),
  entities: filled('&amp;'),
  'half entities': filled('&'),
  'half numbers': filled('&#x'),
  'numbers beyond all letters': filled('&#x110000;'),
  'names of entities': filled('&CounterClockwiseContourIntegra'),
  'a million attributes': around('<a ', 'x=1 ', '>'),
  'attributes of many names': () => `<a ${Array.from({ length: 200_000 }, (_, at) => `x${at}=1`).join(' ')}>`,
  'an attribute that never ends': around('<a x="', '&', ''),
  'a class without end': around('<p class="', 'nav-x ', '">x'),
  'a style without end': around('<p style="', ';  ', '">x'),
  'an address without end': around('<a href="', 'x', '">x</a>'),
  articles: filled('<article><p>Some words that are long enough to weigh a little.</p>'),
  zeros: filled('\0'),
  space: around('<p>x', ' ', 'y'),
  'line ends': filled('\r\n'),
}

// A long limit, because the machine that runs the tests may be busy.
const reports: string[] = []
const report = (error: unknown) => void reports.push(toLogText(error))
const room = openPageReader({ report, mostMs: 30_000 })
afterAll(() => room.close())
const task = (html: string) => ({
  url: 'https://site.example/',
  contentType: 'text/html',
  body: Buffer.from(html),
  isCut: false,
  maxChars: 50_000,
})

describe('two megabytes', () => {
  // The first run is slow whatever it reads, because the code is not compiled yet.
  for (const page of [filled('<p>x'), filled('<ul><li><a href=x>y</a>')])
    htmlToMarkdown(page(), { url: 'https://site.example/', enough: 150_000 })

  it.each(Object.entries(pages))('of %s are read in little CPU time', async (_, make) => {
    const html = make()
    const read = () => htmlToMarkdown(html, { url: 'https://site.example/', enough: 150_000 })
    const ms = await usualCpuMs(mostCpuMs, () => cpuMsOf(read))
    expect(ms).toBeLessThan(mostCpuMs)
  })
})

describe('a page', () => {
  it('is read in a worker, so that the event loop goes on', async () => {
    const page = filled('<p>Some words of a paragraph, <a href="/x">linked</a>, and more of them.')()
    await room.read(task(page))
    const ms = await usualCpuMs(mostCopyMs, async () => {
      const before = process.threadCpuUsage()
      const read = await Promise.all(Array.from({ length: 6 }, () => room.read(task(page))))
      const { user, system } = process.threadCpuUsage(before)
      expect(read.map(({ is }) => is)).toEqual(Array.from({ length: 6 }, () => 'read'))
      return (user + system) / 1000
    })
    // This thread only copies the pages to the worker.
    expect(ms).toBeLessThan(mostCopyMs)
  })

  it('of data is read in time, however many values it has', async () => {
    const room = openPageReader({ report, mostMs: 5000 })
    const body = Buffer.from(`[${'1,'.repeat(pageBytes / 2)}1]`)
    const read = await room.read({ ...task(''), contentType: 'application/json', body })
    expect(read).toMatchObject({ is: 'read', text: expect.stringMatching(/^```json\n\[\n 1,\n 1,/) })
    await room.close()
  })

  it.each([
    ['JSON', `["${filled('```,')()}"]`],
    ['what only calls itself JSON', `{${filled('```,')()}`],
  ])('of data is read, however many fences are in it: %s', async (_, json) => {
    const body = Buffer.from(json)
    expect(await room.read({ ...task(''), contentType: 'application/json', body })).toMatchObject({ is: 'read' })
  })

  it('that takes too much memory is given up and reported, and the next one is read', async () => {
    const small = openPageReader({ report, heapMb: 16, mostMs: 30_000 })
    const large = '<b>x</b><i>y</i><p>'.repeat(100_000)
    expect(await small.read(task(large))).toEqual({ is: 'unread', reason: 'it could not be read' })
    expect(reports.splice(0)).toEqual([expect.stringMatching(/^Error: a page .* was not read < Error: .*SIGABRT/)])
    expect(await small.read(task('<p>next'))).toMatchObject({ is: 'read', text: 'next' })
    await small.close()
  })

  it('that takes too much time is given up', async () => {
    const hasty = openPageReader({ report, mostMs: 1 })
    const read = await hasty.read(task(filled('<div>x')()))
    expect(read).toEqual({ is: 'unread', reason: 'it could not be read in time' })
    expect(reports).toEqual([])
    await hasty.close()
  })

  it('on which the reader itself fails is not read, and the failure is reported', async () => {
    // Stands for a mistake in the reader: no task is without a body.
    const broken = Object.assign(task('<p>x'), { body: undefined })
    expect(await room.read(broken)).toEqual({ is: 'unread', reason: 'it could not be read' })
    expect(reports.splice(0)).toEqual([expect.stringContaining('was not read < TypeError: ')])
    expect(await room.read(task('<p>next'))).toMatchObject({ is: 'read', text: 'next' })
  })

  it('is not read for a caller that has aborted', async () => {
    await expect(room.read(task('<p>x'), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })
})

describe('an encoded page', () => {
  const encoded = (body: Buffer, names: string) => ({ ...task(''), body, encoding: { names, maxBytes: pageBytes } })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['gzip, br', (html: string) => brotliCompressSync(gzipSync(html))],
  ])('in %s is decoded by the reader', async (names, encode) => {
    const html = '<p>in a few bytes'
    expect(await room.read(encoded(encode(html), names))).toMatchObject({ text: 'in a few bytes', bytes: html.length })
  })

  it('is decoded up to the limit, and costs the caller what its few bytes cost', async () => {
    const bomb = encoded(gzipSync(`<p>${' x'.repeat(32 * 1024 * 1024)}`), 'gzip')
    await room.read(bomb)
    const ms = await usualCpuMs(mostSendMs, async () => {
      const before = process.threadCpuUsage()
      expect(await room.read(bomb)).toMatchObject({ is: 'read', bytes: pageBytes })
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1000
    })
    expect(ms).toBeLessThan(mostSendMs)
  })

  it.each([
    ['bytes that are not in their encoding', encoded(gzipSync('<p>x'), 'br')],
    ['an encoding that nobody asked for', encoded(gzipSync('<p>x'), 'zstd')],
    [
      'more encoded bytes than are read, which decode to too few',
      { ...encoded(gzipSync('<p>x'), 'gzip'), isCut: true },
    ],
  ])('with %s is not understood', async (_, sent) => {
    expect(await room.read(sent)).toEqual({ is: 'unread', reason: 'the answer was not understood' })
    expect(reports).toEqual([])
  })

  it('that is a PDF of no type has the time of a PDF', async () => {
    const hasty = openPageReader({ report, mostMs: 1 })
    const pdf = { ...encoded(gzipSync(makePdf([drawLines(['on paper'])])), 'gzip'), contentType: '' }
    expect(await hasty.read(pdf)).toMatchObject({ is: 'read', text: expect.stringContaining('on paper') })
    await hasty.close()
  })
})
