/** Labels that stand for encodings in which text can hide what it is; the decoder knows none of them, or refuses. */
const asUtf8: ReadonlySet<string> = new Set(['utf-16', 'utf-16le', 'utf-16be'])
const metaBytes = 1024

/**
 * Text in the charset that its bytes begin with, that its server named, or that the page names in its first kilobyte;
 * otherwise UTF-8 where the bytes are that, and the web's old default where they are not.
 *
 * @returns undefined when a charset is named that browsers do not read
 */
export function decodeText(
  bytes: Uint8Array,
  { charset, isHtml, isCut }: { charset: string | undefined; isHtml: boolean; isCut: boolean },
): string | undefined {
  const marked = readMark(bytes)
  const named = marked ?? charset ?? (isHtml ? findMeta(bytes) : undefined)
  // A body that was cut off may end inside a letter.
  const stream = isCut
  if (named !== undefined) return decode(bytes, named, { stream })
  return decode(bytes, 'utf-8', { stream, fatal: true }) ?? decode(bytes, 'windows-1252', { stream })
}

function readMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

function decode(
  bytes: Uint8Array,
  charset: string,
  { stream, fatal = false }: { stream: boolean; fatal?: boolean },
): string | undefined {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes, { stream })
  } catch {
    return undefined
  }
}

/** What `<meta charset>` or its older form says. A page whose meta can be read as ASCII is not UTF-16. */
function findMeta(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, metaBytes)).toString('latin1').toLowerCase()
  for (const [tag] of start.matchAll(/<meta\s[^>]{0,400}/g)) {
    const charset = /charset\s*=\s*["']?\s*([^\s"'/>;]{1,40})/.exec(tag)?.[1]
    if (charset !== undefined) return asUtf8.has(charset) ? 'utf-8' : charset
  }
  return undefined
}
