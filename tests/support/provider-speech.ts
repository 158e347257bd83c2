/** Seconds per letter at natural speed, about as people speak. */
const secondsPerCharacter = 0.065
const marginSeconds = 0.3

/**
 * The sound of a speech service for a text: a voiced tone in syllables, a pause at each full stop, and silence around
 * it. 16-bit samples, little endian; deterministic.
 */
export function providerSpeech(text: string, { rate, speed }: { rate: number; speed: number }): Uint8Array {
  const margin = Math.round(rate * marginSeconds)
  const perCharacter = Math.round((rate * secondsPerCharacter) / speed)
  const characters = [...text]
  const pcm = new Int16Array(margin * 2 + perCharacter * characters.length)
  const letter = toneOf(perCharacter, rate, 110 + (text.length % 30))
  for (const [index, character] of characters.entries()) {
    if (!/[.!?\s]/.test(character)) pcm.set(letter, margin + index * perCharacter)
  }
  return new Uint8Array(pcm.buffer)
}

/** The sound of one letter, which swells and fades. */
function toneOf(length: number, rate: number, pitch: number): Int16Array {
  return Int16Array.from({ length }, (_, place) => {
    const phase = (place / rate) * pitch * 2 * Math.PI
    const wave = Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.25 * Math.sin(5 * phase)
    return 6000 * wave * Math.sin((Math.PI * place) / length) ** 0.5
  })
}
