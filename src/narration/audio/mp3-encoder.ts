import { createMp3Encoder } from 'wasm-media-encoders'

/** Rates at which every frame has the same size, so that bytes and seconds convert by multiplication (44.1 kHz has not). */
export type Mp3Format = { readonly sampleRate: 24_000 | 48_000; readonly kbps: 64 | 96 }

/** Turns sound into MPEG audio frames, piece by piece: one channel at a constant bitrate. */
export async function openMp3Encoder({ sampleRate, kbps }: Mp3Format) {
  const encoder = await createMp3Encoder()
  encoder.configure({ sampleRate, channels: 1, bitrate: kbps, outputSampleRate: sampleRate })
  const chunks: Uint8Array[] = []
  let count = 0
  const add = (samples: Float32Array) => {
    // A second at a time, which bounds the encoder's own memory. Its answer is a view that the next call overwrites.
    for (let place = 0; place < samples.length; place += sampleRate)
      chunks.push(encoder.encode([samples.subarray(place, place + sampleRate)]).slice())
    count += samples.length
  }
  return {
    add,
    addSilence: (samples: number) => add(new Float32Array(samples)),
    /** Samples so far. */
    count: () => count,
    /** All frames, once nothing more comes. */
    end() {
      chunks.push(encoder.finalize().slice())
      return new Uint8Array(Buffer.concat(chunks))
    },
  }
}
