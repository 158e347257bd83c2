/** An independent MP3 reader from the standard's tables, because the product's parser would share its own mistakes. */
export function readMp3(bytes: Uint8Array) {
  const file = Buffer.from(bytes)
  const hasTag = file.toString('latin1', 0, 3) === 'ID3'
  const size = (place: number) => [0, 1, 2, 3].reduce((sum, i) => sum * 128 + file.readUInt8(place + i), 0)
  const start = hasTag ? 10 + size(6) : 0
  const sizes = new Set<number>()
  let frames = 0
  let sampleRate = 0
  let samplesPerFrame = 0
  for (let place = start; place < file.length; ) {
    const header = file.readUInt32BE(place)
    const version = (header >>> 19) & 3
    if (header >>> 21 !== 0x7ff || version < 2) throw new Error(`lost the frames at ${place}`)
    const mpeg1 = version === 3
    const kbps = (mpeg1 ? [0, 32, 40, 48, 56, 64, 80, 96, 112, 128] : [0, 8, 16, 24, 32, 40, 48, 56, 64, 80])[
      (header >>> 12) & 15
    ]
    sampleRate = ([44_100, 48_000, 32_000][(header >>> 10) & 3] ?? 0) / (mpeg1 ? 1 : 2)
    samplesPerFrame = mpeg1 ? 1152 : 576
    const length = Math.floor((samplesPerFrame * 125 * (kbps ?? 0)) / sampleRate) + ((header >>> 9) & 1)
    sizes.add(length)
    place += length
    frames += 1
    if (place > file.length) throw new Error('the last frame is cut')
  }
  const info = file.indexOf('Info', start, 'latin1')
  const lame = file.indexOf('LAME3', start, 'latin1')
  const trims = file.readUIntBE(lame + 21, 3)
  const audioFrames = frames - 1
  return {
    sampleRate,
    samplesPerFrame,
    /** Frames of sound; the first frame contains the Info header. */
    frames: audioFrames,
    audioBytes: file.length - start,
    sizes,
    info: {
      frames: file.readUInt32BE(info + 8),
      bytes: file.readUInt32BE(info + 12),
      samples: audioFrames * samplesPerFrame - (trims >> 12) - (trims & 0xfff),
    },
  }
}
