/** Text with places that are filled in each time it is sent. Every value is as long as its mark. */
export interface SplicedText {
  fill(values: Readonly<Record<string, string>>): string
}

const splitAt = (text: string, marks: readonly string[]): readonly string[] =>
  text.split(new RegExp(`(${marks.map((mark) => RegExp.escape(mark)).join('|')})`))

/** Text that is put together anew. */
export function spliceText(text: string, marks: readonly string[]): SplicedText {
  const pieces = splitAt(text, marks)
  return { fill: (values) => pieces.map((piece) => values[piece] ?? piece).join('') }
}

/**
 * JSON in base64, which works on groups of three bytes: blanks before the strings that are marks put these at the
 * beginning of a group, so that only they are encoded each time. Marks are a multiple of three bytes long.
 */
export function spliceBase64(json: string, marks: readonly string[]): SplicedText {
  const places: { mark: string; at: number }[] = []
  let padded = ''
  for (const piece of splitAt(json, marks)) {
    if (!marks.includes(piece)) {
      padded += piece
      continue
    }
    const blanks = ' '.repeat((3 - (padded.length % 3)) % 3)
    padded = `${padded.slice(0, -1)}${blanks}"`
    places.push({ mark: piece, at: (padded.length / 3) * 4 })
    padded += piece
  }
  const encoded = Buffer.from(Buffer.from(padded).toString('base64'))
  return {
    fill(values) {
      // Written into its place rather than concatenated: Node would join the pieces to check the header, then again.
      for (const { mark, at } of places)
        encoded.write(Buffer.from(values[mark] ?? mark, 'latin1').toString('base64'), at, 'latin1')
      return encoded.toString('latin1')
    },
  }
}
