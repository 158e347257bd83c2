/** A file in an archive. */
interface Entry {
  readonly path: string
  readonly bytes: Uint8Array
  /** Unix permissions. */
  readonly mode: number
}

const blockBytes = 512

/** An uncompressed archive in the ustar format (POSIX.1-1988), with all times and owners 0 to be reproducible. */
export function toTar(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap((entry) => [toHeader(entry), padded(entry.bytes)])
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)])
}

function toHeader({ path, bytes, mode }: Entry): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long a name for this archive`)
  const header = Buffer.alloc(blockBytes)
  header.write(path, 0)
  writeOctal(header, mode, 100, 8)
  writeOctal(header, 0, 108, 8)
  writeOctal(header, 0, 116, 8)
  writeOctal(header, bytes.length, 124, 12)
  writeOctal(header, 0, 136, 12)
  // The checksum is computed with spaces in its own field.
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  writeOctal(
    header,
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return header
}

const writeOctal = (header: Buffer, value: number, at: number, width: number): void => {
  header.write(`${value.toString(8).padStart(width - 1, '0')}\u0000`, at)
}

function padded(bytes: Uint8Array): Buffer {
  const whole = Buffer.alloc(Math.ceil(bytes.length / blockBytes) * blockBytes)
  whole.set(bytes)
  return whole
}
