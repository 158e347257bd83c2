import { describe, expect, it } from 'vitest'
import { toTranscriptJson } from '../../src/narration/episodes/transcript-json.ts'
import { toWebVtt } from '../../src/narration/episodes/webvtt.ts'

const cues = [
  { text: 'Hello & <b>welcome</b> --> x', startMs: 200, endMs: 1450 },
  { text: 'Two\n\nlines\u0000\u2028end', startMs: 2000, endMs: 3_723_004 },
]

describe('a transcript', () => {
  it('as WebVTT keeps its text, which cannot break out of a cue', () => {
    expect(toWebVtt(cues)).toBe(
      'WEBVTT\n\n1\n00:00:00.200 --> 00:00:01.450\nHello &amp; &lt;b&gt;welcome&lt;/b&gt; --&gt; x\n\n' +
        '2\n00:00:02.000 --> 01:02:03.004\nTwo lines end\n',
    )
  })

  it('as JSON has times in seconds and plain text', () => {
    expect(toTranscriptJson(cues)).toEqual({
      version: '1.0.0',
      segments: [
        { startTime: 0.2, endTime: 1.45, body: 'Hello & <b>welcome</b> --> x' },
        { startTime: 2, endTime: 3723.004, body: 'Two\n\nlines\u0000\u2028end' },
      ],
    })
  })

  it('may be empty', () => {
    expect(toWebVtt([])).toBe('WEBVTT\n')
    expect(toTranscriptJson([])).toEqual({ version: '1.0.0', segments: [] })
  })
})
