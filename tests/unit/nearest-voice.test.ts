import { describe, expect, it } from 'vitest'
import { minimaxVoices, openaiVoices } from '../../src/narration/engines/provider-voices.ts'
import { nearestVoice } from '../../src/narration/speech/nearest-voice.ts'
import { voices } from '../../src/narration/speech/voices.ts'

const lists = [
  ['embedded', voices],
  ['minimax', minimaxVoices],
  ['openai', openaiVoices],
] as const

describe.each(lists)('the nearest voice of the %s engine', (_, list) => {
  it('is the voice itself if it exists', () => {
    for (const voice of list) {
      expect(nearestVoice(list, voice.id)).toBe(voice)
      expect(nearestVoice(list, voice.id.toLowerCase())).toBe(voice)
    }
  })

  it('has the gender that the name implies, and some of its manner', () => {
    for (const { id, gender } of [...voices, ...minimaxVoices, ...openaiVoices].filter(
      ({ gender }) => gender !== 'neutral',
    ))
      if (/(?:Woman|Lady|Man|_man)$|^(?:nova|onyx|echo|coral|ash|shimmer)$/.test(id))
        expect([id, nearestVoice(list, id).gender]).toEqual([id, gender])
    expect(nearestVoice(list, 'Very_Deep_Man').manner).toBe('deep')
    expect(nearestVoice(list, 'Soft woman').manner).toBe('calm')
  })

  it('is the first for a name without hints, and always the same', () => {
    for (const name of ['', '東京', '../../etc/passwd', 'x'.repeat(128), '__proto__']) {
      expect(nearestVoice(list, name)).toBe(list[0])
    }
    for (const name of ['Some_Woman', 'Another_Woman', 'Some_Man', 'Another_Man'])
      expect(nearestVoice(list, name)).toBe(nearestVoice(list, name))
    expect(new Set(list.map(({ id }) => id)).size).toBe(list.length)
  })
})
