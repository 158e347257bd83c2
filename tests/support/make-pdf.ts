import { constants, deflateRawSync } from 'node:zlib'

interface PdfOptions {
  readonly title?: string
  /** Entries of the dictionary of each content stream, such as its filter. */
  readonly filter?: string
}

/** A content stream with lines from the top of a page down, as small programs draw them; an empty line is a gap. */
export const drawLines = (lines: readonly string[], x = 72): string => {
  const drawn = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -14 Td`)
  return `BT /F1 12 Tf ${x} 720 Td ${drawn.join('\n')} ET`
}

/** A complete PDF with these pages. */
export function makePdf(contents: readonly (string | Buffer)[], { title, filter = '' }: PdfOptions = {}): Buffer {
  const kids = contents.map((_, at) => `${4 + 2 * at} 0 R`).join(' ')
  const objects: Buffer[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ].map((text) => Buffer.from(text))
  for (const [at, content] of contents.entries()) {
    const body = Buffer.from(content)
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * at} 0 R >>`,
      ),
      Buffer.concat([
        Buffer.from(`<< /Length ${body.length} ${filter} >>\nstream\n`),
        body,
        Buffer.from('\nendstream'),
      ]),
    )
  }
  if (title !== undefined) objects.push(Buffer.from(`<< /Title (${title}) >>`))
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets = objects.map((object, at) => {
    const offset = parts.reduce((sum, { length }) => sum + length, 0)
    parts.push(Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'))
    return offset
  })
  const start = parts.reduce((sum, { length }) => sum + length, 0)
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const info = title === undefined ? '' : ` /Info ${objects.length} 0 R`
  parts.push(
    Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`),
    Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${info} >>\nstartxref\n${start}\n%%EOF\n`),
  )
  return Buffer.concat(parts)
}

/** A stream of a few hundred kilobytes that unpacks to this many megabytes of spaces. */
export function makeBomb(megabytes: number): Buffer {
  const step = 16
  const once = deflateRawSync(Buffer.alloc(step * 1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  const steps = Array.from({ length: megabytes / step }, () => once)
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...steps, Buffer.from([0x03, 0x00])])
}
