import { ProviderFailed } from '../../providers/provider-failed.ts'
import { trimSilence } from '../audio/trim-silence.ts'
import { speechSeconds } from '../speech/speech-seconds.ts'

/** What was requested, to check whether the response is plausible. */
export interface AskedSpeech {
  readonly text: string
  readonly speed: number
  /** Samples per second of the answer. */
  readonly rate: number
}

/** Speech may be longer or shorter than estimated by this factor; beyond that it cannot be the text. */
const slack = 4
const someSeconds = 4

/** The longest plausible speech of a text, in seconds. */
export const longestSeconds = ({ text, speed }: Omit<AskedSpeech, 'rate'>): number =>
  (speechSeconds(text) * slack) / speed + someSeconds

/**
 * Reads samples (16 bits, little endian, one channel) and trims the silence around them.
 *
 * @throws ProviderFailed when they cannot be the requested text
 */
export function readSpeech(bytes: Uint8Array, asked: AskedSpeech): Int16Array {
  if (bytes.byteLength % 2 !== 0) throw new ProviderFailed('unusable', 'sent half a sample')
  const seconds = bytes.byteLength / 2 / asked.rate
  const foreseen = speechSeconds(asked.text) / asked.speed
  if (seconds > longestSeconds(asked)) throw new ProviderFailed('unusable', 'sent far more sound than the text has')
  if (seconds < (foreseen - someSeconds) / slack || bytes.byteLength === 0)
    throw new ProviderFailed('unusable', 'sent far less sound than the text has')
  // An Int16Array needs an even byte offset, which only a copy has for certain.
  const pcm = trimSilence(new Int16Array(new Uint8Array(bytes).buffer), asked.rate)
  if (pcm.length === 0) throw new ProviderFailed('unusable', 'sent silence')
  return pcm
}
