import { createMp3Encoder } from 'wasm-media-encoders'

/** Formats whose frames all have the same size (not so at 44.1 kHz), so that bytes and seconds convert by a factor. */
export type Mp3Format = { readonly sampleRate: 24_000 | 48_000; readonly kbps: 64 | 96 }

/** Turns sound into MPEG audio frames, piece by piece: one channel at a constant bitrate. */
export async function openMp3Encoder({ sampleRate, kbps }: Mp3Format) {
  const encoder = await createMp3Encoder()
  encoder.configure({ sampleRate, channels: 1, bitrate: kbps, outputSampleRate: sampleRate })
  const chunks: Uint8Array[] = []
  let count = 0
  const add = (samples: Float32Array) => {
    // One second at a time limits the memory of the encoder. It returns a view that the next call overwrites, hence the
    // copy.
    for (let place = 0; place < samples.length; place += sampleRate)
      chunks.push(encoder.encode([samples.subarray(place, place + sampleRate)]).slice())
    count += samples.length
  }
  return {
    add,
    addSilence: (samples: number) => add(new Float32Array(samples)),
    /** Samples that were added so far. */
    count: () => count,
    /** Ends the encoding and returns all frames. */
    end() {
      chunks.push(encoder.finalize().slice())
      return new Uint8Array(Buffer.concat(chunks))
    },
  }
}
