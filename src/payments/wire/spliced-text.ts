/** Text with placeholders (marks) that are filled in each time it is sent. Every value is as long as its mark. */
export interface SplicedText {
  /** The text with each mark replaced by its value. `values` are in the order of the marks. */
  fill(values: readonly string[]): string
}

const splitAt = (text: string, marks: readonly string[]): readonly string[] =>
  text.split(new RegExp(`(${marks.map((mark) => RegExp.escape(mark)).join('|')})`))

/** Plain text, joined from its pieces each time. */
export function spliceText(text: string, marks: readonly string[]): SplicedText {
  const pieces = [...splitAt(text, marks)]
  const places = pieces.flatMap((piece, at) => (marks.includes(piece) ? [{ at, mark: marks.indexOf(piece) }] : []))
  return {
    fill(values) {
      for (const { at, mark } of places) pieces[at] = values[mark] ?? ''
      return pieces.join('')
    },
  }
}

/**
 * JSON in base64. Base64 encodes groups of three bytes, so spaces are inserted before the strings that are marks until
 * each mark begins a group; then only the marks have to be encoded each time. Their length is a multiple of three
 * bytes.
 */
export function spliceBase64(json: string, marks: readonly string[]): SplicedText {
  const places: { mark: number; at: number }[] = []
  let padded = ''
  for (const piece of splitAt(json, marks)) {
    if (!marks.includes(piece)) {
      padded += piece
      continue
    }
    const blanks = ' '.repeat((3 - (padded.length % 3)) % 3)
    padded = `${padded.slice(0, -1)}${blanks}"`
    places.push({ mark: marks.indexOf(piece), at: (padded.length / 3) * 4 })
    padded += piece
  }
  const encoded = Buffer.from(Buffer.from(padded).toString('base64'))
  return {
    fill(values) {
      // Written in place, not concatenated: Node.js would flatten a concatenated string more than once to send it.
      for (const { mark, at } of places) encoded.write(btoa(values[mark] ?? ''), at, 'latin1')
      return encoded.toString('latin1')
    },
  }
}
