import { createHash } from 'node:crypto'

/** The UUID namespace of podcast guids (Podcasting 2.0, `podcast:guid`). */
const nameSpace = Buffer.from('ead4c236bf5858c6a2c6a6b28d128cb6', 'hex')

/**
 * The permanent id of a podcast: a version 5 UUID of the address of its feed, without scheme and trailing slashes. It
 * is that of the feed's first address; a podcast that moves keeps it.
 *
 * @example toPodcastGuid('https://mp3s.nashownotes.com/pc20rss.xml') // '917393e3-1b1e-5cef-ace4-edaa54e1f810'
 */
export function toPodcastGuid(feedUrl: string): string {
  const name = feedUrl.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '')
  const bytes = createHash('sha1').update(nameSpace).update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
