/** Whether the engine can read a text, or why not. */
export type Speakable = { is: 'speakable' } | { is: 'unspeakable'; reason: string }

/** A text with more letters of other scripts than this would lose too much of what it says. */
const maxForeignShare = 0.3

/** In English a Greek letter that stands alone is a name: π, Δ. */
const latin = /\p{Script=Latin}|(?<!\p{L})\p{Script=Greek}(?!\p{L})/gu

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/**
 * The embedded engine speaks English in Latin letters and nothing else. Asked before anything is paid.
 *
 * @example canSpeak('ja', 'これはテストです。').is // 'unspeakable'
 */
export function canSpeak(language: string, text: string): Speakable {
  if (!/^en(?:-|$)/i.test(language.trim()))
    return {
      is: 'unspeakable',
      reason: `the embedded engine speaks English, not ${JSON.stringify(language.slice(0, 35))}`,
    }
  const letters = count(text, /\p{L}/gu)
  const known = count(text, latin)
  if (letters === 0 && count(text, /\p{Nd}/gu) === 0) return { is: 'unspeakable', reason: 'the text holds no words' }
  if (letters - known > letters * maxForeignShare)
    return { is: 'unspeakable', reason: 'more than 30 % of the letters are not Latin' }
  return { is: 'speakable' }
}
