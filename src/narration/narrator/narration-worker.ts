import Tinypool from 'tinypool'
import { lowerPriority } from '../../workers/lower-priority.ts'
import { type MasterInput, master } from '../audio/master.ts'
import { trimSilence } from '../audio/trim-silence.ts'
import { engineRate, openFlite, type Say } from '../speech/flite.ts'
import type { EmbeddedVoice } from '../speech/voices.ts'

/** What a worker needs to say one sentence. */
export type SpeakTask = { spoken: string; voice: EmbeddedVoice; speed: number }

lowerPriority()

let engine: Promise<Say> | undefined

/** Only letters and the plainest punctuation, for the rare sentence that the engine stumbles over. */
const plainest = (text: string): string => text.replace(/[^A-Za-z ,.]+/g, ' ')

/** Hands a result over without copying the buffer in it. */
const moved = (value: object, buffer: ArrayBufferLike): unknown =>
  Tinypool.move(
    Object.defineProperties(
      {},
      { [Tinypool.valueSymbol]: { value }, [Tinypool.transferableSymbol]: { value: buffer } },
    ) as never,
  )

/** Says one sentence; the pool's caller gets an `Int16Array` of 16 kHz samples without the silence around it. */
export async function speak({ spoken, voice, speed }: SpeakTask): Promise<unknown> {
  engine ??= openFlite()
  const say = await engine
  const pcm = await say(spoken, voice, speed).catch(() => say(plainest(spoken), voice, speed))
  const trimmed = trimSilence(pcm, engineRate)
  return moved(trimmed, trimmed.buffer)
}

/** Makes the file of all sentences; the pool's caller gets a `Master`. */
export async function finish(input: MasterInput): Promise<unknown> {
  const result = await master(input)
  return moved(result, result.mp3.buffer)
}
