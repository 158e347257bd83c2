import { type Master, type MasterInput, master } from '../audio/master.ts'
import { trimSilence } from '../audio/trim-silence.ts'
import { engineRate, openFlite, type Say } from '../speech/flite.ts'
import type { EmbeddedVoice } from '../speech/voices.ts'

/** What a worker needs to say one sentence. */
export type SpeakTask = { spoken: string; voice: EmbeddedVoice; speed: number }

let engine: Promise<Say> | undefined

/** Only letters and simple punctuation, for rare sentences on which the engine fails. */
const plainest = (text: string): string => text.replace(/[^A-Za-z ,.]+/g, ' ')

/** Says one sentence: samples at 16 kHz without the silence around it. */
export async function speak({ spoken, voice, speed }: SpeakTask): Promise<Int16Array> {
  engine ??= openFlite()
  const say = await engine
  const pcm = await say(spoken, voice, speed).catch(() => say(plainest(spoken), voice, speed))
  return trimSilence(pcm, engineRate)
}

/** Makes the file of all sentences. */
export const finish = (input: MasterInput): Promise<Master> => master(input)
