import { describe, expect, it } from 'vitest'
import { plainTextUnits, planNarration } from '../../src/narration/plan/plan-narration.ts'
import { toSentences } from '../../src/narration/speech/sentences.ts'
import { resolveVoice, voices } from '../../src/narration/speech/voices.ts'

const texts = (paragraph: string) => toSentences(paragraph).map(({ text }) => text)

describe('sentences', () => {
  it('end where a reader would end them', () => {
    expect(texts('Dr. Marsh waits. It is cold. "Is it?" she asked. Yes! See No. 5 and J. Smith.')).toEqual([
      'Dr. Marsh waits.',
      'It is cold.',
      '"Is it?" she asked.',
      'Yes!',
      'See No. 5 and J. Smith.',
    ])
  })

  it('are never longer than the limit, and lose nothing but white space', () => {
    for (const text of ['word '.repeat(500), 'x'.repeat(3000), '😀'.repeat(900), `${'clause, '.repeat(200)}end.`]) {
      const parts = toSentences(text)
      expect(parts.every((part) => part.text.length <= 400 && part.text.isWellFormed())).toBe(true)
      expect(
        parts
          .map((part) => part.text)
          .join('')
          .replace(/\s/g, ''),
      ).toBe(text.replace(/\s/g, ''))
    }
  })

  it('are none for an empty paragraph', () => {
    expect(toSentences(' \n ')).toEqual([])
  })
})

describe('a plan', () => {
  it('shows sentences as written and speaks them as worded', () => {
    const plan = planNarration(plainTextUnits('It costs $5. Pay now.\n\nThank you.'), 1)
    expect(plan.cueTexts).toEqual(['It costs $5.', 'Pay now.', 'Thank you.'])
    expect(plan.utterances.map(({ spoken }) => spoken)).toEqual(['It costs five dollars.', 'Pay now.', 'Thank you.'])
    expect(plan.utterances.map(({ pauseSeconds }) => pauseSeconds)).toEqual([0.38, 0.75, 0.75])
  })

  it('keeps unspeakable sentences in the transcript', () => {
    const { cueTexts } = planNarration(plainTextUnits('😀\n\nHello. 東京。 Bye.\n\n…'), 1)
    expect(cueTexts.join(' ').replace(/\s/g, '')).toBe('😀Hello.東京。Bye.…')
  })

  it('pairs transcript and speech in order if their numbers of sentences differ', () => {
    const { cueTexts, utterances } = planNarration([{ text: 'One. Two. Three.', spoken: 'First. Last.' }], 1)
    expect(cueTexts.join(' ')).toBe('One. Two. Three.')
    expect(utterances.map(({ spoken }) => spoken).join(' ')).toBe('First. Last.')
    expect(cueTexts).toHaveLength(2)
  })

  it('speaks a sentence that grows beyond the limit in several parts under one cue', () => {
    const { cueTexts, utterances } = planNarration(plainTextUnits('777,777 '.repeat(30)), 1)
    expect(cueTexts).toHaveLength(1)
    expect(utterances.length).toBeGreaterThan(3)
    expect(utterances.every(({ spoken }) => spoken.length <= 400)).toBe(true)
  })

  it('speaks a number with grouped digits as one number', () => {
    const { utterances } = planNarration(plainTextUnits('It is 5\u202f000 m away,\u00a0she said.'), 1)
    expect(utterances.map(({ spoken }) => spoken)).toEqual(['It is five thousand metres away, she said.'])
  })

  it('estimates the duration of a text of only numbers', () => {
    const prose = planNarration(plainTextUnits('The quick brown fox jumps. '.repeat(350)), 1).seconds
    const numbers = planNarration(plainTextUnits('777,777 '.repeat(1180)), 1).seconds
    expect(prose).toBeLessThan(800)
    expect(numbers).toBeGreaterThan(3600)
  })

  it.each(['１', '𝟙', '⁵'])('does not speak a flood of digits in another script: %s', (digit) => {
    const flood = (sign: string) => planNarration(plainTextUnits(`a${sign.repeat(390)}. `.repeat(12)), 1)
    for (const { spoken } of flood(digit).utterances) expect(spoken).not.toMatch(/\d/)
    expect(flood(digit).seconds).toBeLessThan(60)
  })

  it('is empty for an empty text', () => {
    expect(planNarration([], 1).utterances).toEqual([])
    expect(planNarration(plainTextUnits('… 東京'), 1).utterances).toEqual([])
  })
})

describe('resolveVoice', () => {
  it('finds every voice under its own name, in any spelling', () => {
    for (const voice of voices) {
      expect(resolveVoice(voice.id)).toBe(voice)
      expect(resolveVoice(voice.id.replace('English_', '').toLowerCase())).toBe(voice)
    }
  })

  it.each([
    ['English_Graceful_Lady', 'English_GracefulLady'],
    ['Wise_Gentleman', 'English_DeepMan'],
    ['Deep_Voice_Man', 'English_DeepMan'],
    ['Calm_Woman', 'English_SereneWoman'],
    ['Sweet_Girl_2', 'English_GracefulLady'],
    ['', 'English_CalmMan'],
    ['東京', 'English_CalmMan'],
    ['../../etc/passwd', 'English_CalmMan'],
  ])('maps %j to %s', (asked, spoken) => {
    expect(resolveVoice(asked).id).toBe(spoken)
  })

  it.each(['Lovely_Woman', 'some-female-voice', 'nova', 'QueenB queen'])('maps %j to a woman’s voice', (asked) => {
    expect(resolveVoice(asked).base).toBe('slt')
  })

  it.each(['Friendly_Man', 'male-1', 'onyx', 'News_Guy'])('maps %j to a man’s voice', (asked) => {
    expect(resolveVoice(asked).base).toBe('rms')
  })
})
