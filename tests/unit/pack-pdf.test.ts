import { afterAll, describe, expect, it } from 'vitest'
import { openPageReader } from '../../functions/llms-pack/reading/open-page-reader.ts'
import { toPageText } from '../../functions/llms-pack/reading/pdf-lines.ts'
import { drawLines, makeBomb, makePdf } from '../support/make-pdf.ts'

// Generous, because the machine may be busy with other tests.
const reports: unknown[] = []
const report = (error: unknown) => void reports.push(error)
const room = openPageReader({ report, mostPdfMs: 60_000 })
afterAll(() => room.close())
const read = (body: Buffer, { contentType = 'application/pdf', isCut = false, maxChars = 20_000 } = {}) =>
  room.read({ url: 'https://site.example/a.pdf', contentType, body, isCut, maxChars })

describe('a PDF', () => {
  it('is read page by page, with its own title', async () => {
    const paper = [
      drawLines(['Tides of the bay', '', '', 'The sea rises twice a day.']),
      drawLines(['It falls as often.']),
    ]
    const body = makePdf(paper, { title: 'On tides' })
    const document = await read(body)
    expect(document).toEqual({
      is: 'read',
      title: 'On tides',
      text: '[page 1]\n\nTides of the bay\n\nThe sea rises twice a day.\n\n[page 2]\n\nIt falls as often.',
      type: 'application/pdf',
      bytes: body.length,
      tokens: expect.any(Number),
    })
  })

  it('is recognized by its first bytes without a media type, and titled by its first line without a title', async () => {
    const body = makePdf([drawLines(['One page.', 'Two lines.'])], { title: 'Microsoft Word - draft.docx' })
    expect(await read(body, { contentType: '' })).toMatchObject({ title: 'One page.', text: 'One page.\nTwo lines.' })
  })

  it('is truncated when enough of it was read', async () => {
    const body = makePdf(Array.from({ length: 40 }, (_, at) => drawLines([`Line ${at}`, 'x '.repeat(40)])))
    const document = await read(body, { maxChars: 1000 })
    expect(document).toMatchObject({ is: 'read', text: expect.stringMatching(/\[cut here: the page is longer\]$/) })
    expect(document.is === 'read' && document.text.length).toBeLessThanOrEqual(1000)
  })

  it.each([
    ['broken', Buffer.from('%PDF-1.7\nnothing more'), {}, 'its PDF is broken'],
    ['of pictures alone', makePdf(['0 0 100 100 re f']), {}, 'a PDF without text: its pages are pictures'],
    ['too large', makePdf([drawLines(['x'])]), { isCut: true }, 'a PDF that is too large'],
    [
      'a loop of pages',
      Buffer.from(
        makePdf([drawLines(['x'])])
          .toString('latin1')
          .replace('/Kids [4 0 R]', '/Kids [2 0 R]'),
        'latin1',
      ),
      {},
      'its PDF is broken',
    ],
  ])('that is %s is refused with a reason', async (_, body, options, reason) => {
    expect(await read(body, options)).toEqual({ is: 'unread', reason })
  })

  it('that needs more memory than allowed is given up, and the next one is read', async () => {
    const bomb = makePdf([makeBomb(800)], { filter: '/Filter /FlateDecode' })
    expect(bomb.length).toBeLessThan(2 * 1024 * 1024)
    expect(await read(bomb)).toEqual({ is: 'unread', reason: 'it could not be read' })
    expect(reports.splice(0)).toHaveLength(1)
    expect(await read(makePdf([drawLines(['next'])]))).toMatchObject({ is: 'read', text: 'next' })
  })

  it('that takes too much time is given up', async () => {
    const hasty = openPageReader({ report, mostPdfMs: 1 })
    const body = makePdf([drawLines(['x'])])
    const task = {
      url: 'https://site.example/a.pdf',
      contentType: 'application/pdf',
      body,
      isCut: false,
      maxChars: 1000,
    }
    expect(await hasty.read(task)).toMatchObject({ is: 'unread' })
    await hasty.close()
  })
})

describe('the text of a PDF page', () => {
  const line = (text: string, y: number) => ({ text, y, height: 12, endsLine: true })

  it('is split into paragraphs at vertical gaps, and into columns', () => {
    const pieces = [line('One', 700), line('two', 686), line('three', 640), line('four', 700)]
    expect(toPageText(pieces)).toBe('One\ntwo\n\nthree\n\nfour')
  })

  it('has its lines joined, and words that were split at line ends', () => {
    const pieces = [{ ...line('A ', 700), endsLine: false }, line('exam-', 700), line('ple of it', 686)]
    expect(toPageText(pieces)).toBe('A example\nof it')
  })

  it('is reversed if it was drawn from end to start', () => {
    expect(toPageText([line('three', 672), line('two', 686), line('one', 700)])).toBe('one\ntwo\nthree')
  })
})
