import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Each file holds one weight: under a range of weights a browser would set bold words in the face of the others. */
const weights: Readonly<Record<string, string>> = {
  'newsreader-text': '400',
  'newsreader-semibold': '600',
  'newsreader-display': '500',
  'newsreader-italic': '400',
  'jetbrains-mono': '400',
}
const sheets = ['../../src/styles/fonts.css', '../../game-server/pages/styles/fonts.css']

/** What each rule says of its file: the cut, the characters it is named after, its weight and their range. */
function readFaces(sheet: string) {
  const [, ...rules] = readFileSync(fileURLToPath(new URL(sheet, import.meta.url)), 'utf8').split('@font-face')
  return rules.map((rule) => {
    const [, cut = '', part = ''] = /fonts\/([a-z]+-[a-z]+)-([a-z-]+)\.woff2"/.exec(rule) ?? []
    const [, weight] = /font-weight: ([^;]+);/.exec(rule) ?? []
    const [, range] = /unicode-range:([^;]+);/.exec(rule) ?? []
    return { cut, part, weight, range }
  })
}

describe.each(sheets)('the faces in %s', (sheet) => {
  it('are declared with the one weight that their file has', () => {
    const faces = readFaces(sheet)
    expect(faces.length).toBeGreaterThanOrEqual(4)
    for (const { cut, weight } of faces) expect([cut, weight]).toEqual([cut, weights[cut]])
  })

  it('have the semibold of every part of the text, so that bold words are in no other face', () => {
    const faces = readFaces(sheet)
    const partsOf = (of: string) => faces.filter(({ cut }) => cut === of).map(({ part, range }) => [part, range])
    expect(partsOf('newsreader-semibold')).toEqual(partsOf('newsreader-text'))
    expect(partsOf('newsreader-text').length).toBeGreaterThanOrEqual(2)
  })
})
