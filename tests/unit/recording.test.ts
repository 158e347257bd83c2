import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRecordedPost } from '../../src/build/recorded-post.ts'
import { readEntry } from '../../src/content/content-folder.ts'
import { missingFile } from '../../src/content/missing-file.ts'
import { postSchema } from '../../src/content/post-schema.ts'
import { checksum } from '../../src/core/checksum.ts'
import { makeId3Tag } from '../../src/narration/audio/id3-tag.ts'
import { makeInfoFrame } from '../../src/narration/audio/info-frame.ts'
import { mp3DurationMs } from '../../src/narration/audio/mp3-duration.ts'
import { openMp3Encoder } from '../../src/narration/audio/mp3-encoder.ts'
import { readRecording } from '../../src/narration/episodes/read-recording.ts'
import { readWebVtt } from '../../src/narration/episodes/read-webvtt.ts'
import { toWebVtt } from '../../src/narration/episodes/webvtt.ts'
import { plainTextUnits } from '../../src/narration/plan/plan-narration.ts'

/** Silence of this length in seconds, as an encoder writes it. */
async function makeMp3(seconds: number, sampleRate: 24_000 | 48_000 = 48_000) {
  const encoder = await openMp3Encoder({ sampleRate, kbps: sampleRate === 48_000 ? 96 : 64 })
  encoder.addSilence(seconds * sampleRate)
  return encoder.end()
}

const bytes = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

/** An APE tag with a picture of so many bytes, which look like the beginnings of frames. */
function makeApeTag(pictureBytes: number, hasHeader: boolean): Uint8Array {
  const end = Buffer.alloc(32)
  end.write('APETAGEX')
  end.writeUInt32LE(pictureBytes + end.length, 12)
  end.writeUInt8(hasHeader ? 128 : 0, 23)
  return bytes(...(hasHeader ? [end] : []), Buffer.alloc(pictureBytes, Buffer.from([0xff, 0xfb, 0x90, 0])), end)
}

describe('the length of an MP3', () => {
  it.each([24_000, 48_000] as const)(
    'is counted in frames at %d Hz, without ID3 tags and the descriptive info frame',
    async (rate) => {
      const audio = await makeMp3(10, rate)
      const tag = makeId3Tag({ title: 'A', artist: 'B', chapters: [] })
      const info = makeInfoFrame(audio, 10 * rate)
      const old = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)])
      for (const file of [audio, bytes(tag, info, audio), bytes(tag, tag, audio, old)])
        expect(mp3DurationMs(file)).toBe(mp3DurationMs(audio))
      expect(Math.abs(mp3DurationMs(audio) - 10_000)).toBeLessThan(100)
    },
  )

  it('does not depend on the tags at its end and between joined recordings, however large they are', async () => {
    const audio = await makeMp3(10)
    const length = mp3DurationMs(audio)
    const old = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)])
    for (const tags of [
      [makeApeTag(70_000, true)],
      [makeApeTag(90_000, false), old],
      [Buffer.alloc(9), makeApeTag(9, true)],
    ])
      expect(mp3DurationMs(bytes(audio, ...tags))).toBe(length)
    const large = makeId3Tag({ title: 'A', artist: 'B', chapters: [], cover: new Uint8Array(100_000) })
    expect(mp3DurationMs(bytes(large, audio, large, audio))).toBe(2 * length)
  })

  it('throws for other files', () => {
    const others = [Buffer.alloc(0), Buffer.from('<!doctype html>'), Buffer.alloc(300_000), Buffer.from('RIFF')]
    for (const file of [...others, makeApeTag(0, true), Buffer.from('APETAGEX')])
      expect(() => mp3DurationMs(file)).toThrow('no MP3')
  })
})

describe('a WebVTT file', () => {
  it('is parsed', () => {
    const cues = [
      { text: 'Tom & <b>Jerry</b> --> both.', startMs: 0, endMs: 1500 },
      { text: 'The end.', startMs: 3_600_000, endMs: 3_661_001 },
    ]
    expect(readWebVtt(toWebVtt(cues))).toEqual(cues)
  })

  it('may have notes, identifiers, settings, markup and several lines per cue', () => {
    const file =
      '\ufeffWEBVTT - a title\r\n\r\nNOTE nothing\r\n\r\nSTYLE\r\n::cue {}\r\n\r\nintro\r\n00:01.000 --> 00:02.500 align:start\r\n<v Ann>Hello\r\n<i>there</i>&nbsp;you</v>\r\n'
    expect(readWebVtt(file)).toEqual([{ text: 'Hello there you', startMs: 1000, endMs: 2500 }])
  })

  it('may contain every character reference of HTML', () => {
    const said = 'Don&#39;t say &quot;a &lt; b &amp;amp; c&quot; &#x2014; caf&eacute;&lrm;.'
    expect(readWebVtt(`WEBVTT\n\n00:01.000 --> 00:02.000\n${said}\n`)).toMatchObject([
      { text: 'Don\'t say "a < b &amp; c" — café.' },
    ])
  })

  it.each([
    ['1\n00:00:01,000 --> 00:00:02,000\nA', 'begin with WEBVTT'],
    ['WEBVTT\n\nNOTE nothing', 'no cues'],
    ['WEBVTT\n\n00:05.000 --> 00:04.000\nA', 'ends before'],
  ])('is refused with a reason: %j', (file, reason) => {
    expect(() => readWebVtt(file)).toThrow(reason)
  })
})

describe('a post with a recording by its author', () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-recorded-'))
  const filePath = join(folder, 'own.mdx')
  const units = plainTextUnits('The words of the post.')
  const front = { title: 'Own', excerpt: 'x', publishedAt: '2026-01-01' }
  const read = (audio: unknown) =>
    readEntry({ schema: postSchema, check: missingFile }, { id: 'own', data: { ...front, audio }, file: filePath })
      .audio

  it('names its file, and a transcript if that differs from the post', async () => {
    const mp3 = await makeMp3(3)
    writeFileSync(join(folder, 'own.mp3'), mp3)
    writeFileSync(join(folder, 'own.vtt'), 'WEBVTT\n\n00:01.000 --> 00:02.000\nOther words.\n')
    const plain = await readRecordedPost({ filePath, audio: read('./own.mp3'), units })
    const sum = checksum(mp3)
    expect(plain?.about).toMatchObject({ file: `recording-${sum.slice(0, 16)}.mp3`, sha256: sum })
    expect(plain?.about.cues.map(({ text }) => text)).toEqual(['The words of the post.'])
    expect(Buffer.from(plain?.mp3 ?? []).equals(mp3)).toBe(true)
    const given = await readRecordedPost({
      filePath,
      audio: read({ src: './own.mp3', transcript: './own.vtt' }),
      units,
    })
    expect(given?.about.cues.map(({ text }) => text)).toEqual(['Other words.'])
    expect(await readRecordedPost({ filePath, audio: read(undefined), units })).toBeUndefined()
  })

  it.each([
    ['./gone.mp3', /own\.mdx: audio\.src names \.\/gone\.mp3, and there is no such file/],
    ['./own.wav', /audio\.src must be a path like \.\/episode\.mp3/],
    [{ src: './own.mp3', transcript: './own.pdf' }, /audio\.transcript must be a path like/],
    [{ src: './own.mp3', text: './own.vtt' }, /audio/],
  ])('fails the build with file and field if it names %j', (audio, sentence) => {
    expect(() => read(audio)).toThrow(sentence)
  })

  it('fails the build with file and field if the file is not an MP3', async () => {
    writeFileSync(join(folder, 'page.mp3'), '<html>not found</html>')
    await expect(readRecordedPost({ filePath, audio: { src: './page.mp3' }, units })).rejects.toThrow(
      /own\.mdx:1: audio cannot be used \(\.\/page\.mp3\): the file is no MP3/,
    )
  })
})

describe('the captions of a recording', () => {
  const units = [
    { text: 'The title', spoken: 'The title', chapter: 'The title' },
    ...plainTextUnits('One two three four five six seven. Eight.\n\nNine.'),
  ]

  it('follow the text of its post evenly, from beginning to end', async () => {
    const mp3 = await makeMp3(10)
    const { cues, chapters, durationMs } = readRecording({ mp3, units })
    expect(cues.map(({ text }) => text)).toEqual(['The title', 'One two three four five six seven.', 'Eight.', 'Nine.'])
    expect(chapters).toEqual([{ title: 'The title', startMs: 0 }])
    expect(
      cues.every(({ startMs, endMs }, place) => endMs > startMs && endMs <= (cues[place + 1]?.startMs ?? durationMs)),
    ).toBe(true)
    const [, long, short] = cues.map(({ startMs, endMs }) => endMs - startMs)
    expect((long ?? 0) / (short ?? 1)).toBeGreaterThan(4)
  })

  it('follow its transcript, if it has one', async () => {
    const mp3 = await makeMp3(10)
    const given = readRecording({ mp3, units, transcript: 'WEBVTT\n\n00:01.000 --> 00:11.000\nOther words.\n' })
    expect(given.cues).toEqual([{ text: 'Other words.', startMs: 1000, endMs: given.durationMs }])
    expect(readRecording({ mp3, units, transcript: 'Plain words. More.' }).cues.map(({ text }) => text)).toEqual([
      'Plain words.',
      'More.',
    ])
  })

  it.each([
    ['WEBVTT\n\n00:01.000 --> 00:30.000\nOther words.\n', 'goes on after the recording'],
    [' \n', 'no words'],
  ])('are refused for the transcript %j', async (transcript, reason) => {
    const mp3 = await makeMp3(10)
    expect(() => readRecording({ mp3, units, transcript })).toThrow(reason)
  })
})
