import { File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim'

/**
 * Runs a WASI command with files in memory only and a clock that stands still, so that equal arguments give equal bytes.
 * Not `node:wasi`: that reaches the disk, and a 9 kB argument takes the whole process down with it.
 * The program sees no file but those it creates.
 */
export async function runProgram(module: WebAssembly.Module, args: readonly string[]) {
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
