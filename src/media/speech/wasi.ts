/** How a program says that it is done: WASI has no other way to unwind out of `_start`. */
class ProgramEnd extends Error {
  readonly code: number
  constructor(code: number) {
    super(`the program ended with ${code}`)
    this.code = code
  }
}

type File = { kind: 'directory' | 'file' | 'input' | 'output'; bytes: Uint8Array; length: number; place: number }

/** WASI error numbers that the shim answers with. */
const errno = { ok: 0, badFile: 8, missing: 44, notSeekable: 70 } as const
const fileTypes = { directory: 3, file: 4, input: 2, output: 2 } as const
const everyRight = 0x1fffffffn
const createFlag = 1
const firstFreeDescriptor = 4

const blank = (kind: File['kind'], bytes = 0): File => ({ kind, bytes: new Uint8Array(bytes), length: 0, place: 0 })

/** Room for `bytes` more behind the place; doubled so that a long file is not copied for every block. */
function makeRoom(file: File, bytes: number): void {
  const needed = file.place + bytes
  if (file.bytes.length >= needed) return
  const larger = new Uint8Array(Math.max(needed, file.bytes.length * 2))
  larger.set(file.bytes)
  file.bytes = larger
}

function write(file: File, part: Uint8Array): void {
  makeRoom(file, part.length)
  file.bytes.set(part, file.place)
  file.place += part.length
  file.length = Math.max(file.length, file.place)
}

/** What a program left behind. */
export type ProgramResult = { code: number; errors: string; files: ReadonlyMap<string, Uint8Array> }

/**
 * Runs a WASI command with files in memory only and a clock that stands still, so that equal arguments give equal bytes.
 * Not `node:wasi`: that reaches the disk, and a 9 kB argument takes the whole process down with it.
 * The program sees no file but those it creates.
 */
export async function runProgram(module: WebAssembly.Module, args: readonly string[]): Promise<ProgramResult> {
  const files = new Map<string, File>()
  const descriptors = new Map<number, File>([
    [0, blank('input')],
    [1, blank('output')],
    [2, blank('output')],
    [3, blank('directory')],
  ])
  const errors = descriptors.get(2)
  const argv = args.map((arg) => new TextEncoder().encode(`${arg.replaceAll('\0', ' ')}\0`))
  let next = firstFreeDescriptor
  let memory = new WebAssembly.Memory({ initial: 0 })
  const view = () => new DataView(memory.buffer)
  const bytes = () => new Uint8Array(memory.buffer)
  /** The buffers of a scattered read or write. */
  const parts = (list: number, count: number): Uint8Array[] =>
    Array.from({ length: count }, (_, index) => {
      const start = view().getUint32(list + 8 * index, true)
      return bytes().subarray(start, start + view().getUint32(list + 8 * index + 4, true))
    })
  const withFile = (descriptor: number, use: (file: File) => number): number => {
    const file = descriptors.get(descriptor)
    return file === undefined ? errno.badFile : use(file)
  }
  const seek = (file: File, offset: number, whence: number): number =>
    offset + (whence === 0 ? 0 : whence === 1 ? file.place : file.length)

  const calls = {
    args_sizes_get(count: number, size: number) {
      view().setUint32(count, argv.length, true)
      view().setUint32(
        size,
        argv.reduce((sum, arg) => sum + arg.length, 0),
        true,
      )
      return errno.ok
    },
    args_get(pointers: number, text: number) {
      let place = text
      for (const [index, arg] of argv.entries()) {
        view().setUint32(pointers + 4 * index, place, true)
        bytes().set(arg, place)
        place += arg.length
      }
      return errno.ok
    },
    clock_time_get(_clock: number, _precision: bigint, time: number) {
      view().setBigUint64(time, 0n, true)
      return errno.ok
    },
    fd_close(descriptor: number) {
      return descriptors.delete(descriptor) ? errno.ok : errno.badFile
    },
    fd_fdstat_get: (descriptor: number, stat: number) =>
      withFile(descriptor, ({ kind }) => {
        view().setUint8(stat, fileTypes[kind])
        view().setUint16(stat + 2, 0, true)
        view().setBigUint64(stat + 8, everyRight, true)
        view().setBigUint64(stat + 16, everyRight, true)
        return errno.ok
      }),
    fd_fdstat_set_flags: () => errno.ok,
    fd_prestat_get: (descriptor: number, stat: number) =>
      withFile(descriptor, ({ kind }) => {
        if (kind !== 'directory') return errno.badFile
        view().setUint32(stat, 0, true)
        view().setUint32(stat + 4, 1, true)
        return errno.ok
      }),
    fd_prestat_dir_name(_descriptor: number, name: number) {
      bytes().set([0x2e], name)
      return errno.ok
    },
    fd_read: (descriptor: number, list: number, count: number, total: number) =>
      withFile(descriptor, (file) => {
        let read = 0
        for (const part of parts(list, count)) {
          const piece = file.bytes.subarray(file.place, Math.min(file.length, file.place + part.length))
          part.set(piece)
          file.place += piece.length
          read += piece.length
        }
        view().setUint32(total, read, true)
        return errno.ok
      }),
    fd_write: (descriptor: number, list: number, count: number, total: number) =>
      withFile(descriptor, (file) => {
        let written = 0
        for (const part of parts(list, count)) {
          write(file, part)
          written += part.length
        }
        view().setUint32(total, written, true)
        return errno.ok
      }),
    fd_seek: (descriptor: number, offset: bigint, whence: number, place: number) =>
      withFile(descriptor, (file) => {
        if (file.kind !== 'file') return errno.notSeekable
        file.place = Math.max(0, seek(file, Number(offset), whence))
        view().setBigUint64(place, BigInt(file.place), true)
        return errno.ok
      }),
    path_open(
      _directory: number,
      _lookup: number,
      path: number,
      length: number,
      flags: number,
      _rights: bigint,
      _inherited: bigint,
      _mode: number,
      descriptor: number,
    ) {
      const name = new TextDecoder().decode(bytes().slice(path, path + length))
      if ((flags & createFlag) === 0) return errno.missing
      const file = blank('file', 1 << 18)
      files.set(name, file)
      descriptors.set(next, file)
      view().setUint32(descriptor, next, true)
      next += 1
      return errno.ok
    },
    proc_exit(code: number) {
      throw new ProgramEnd(code)
    },
  }

  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: calls })
  if (!(exports['memory'] instanceof WebAssembly.Memory) || typeof exports['_start'] !== 'function')
    throw new Error('the program is not a WASI command')
  memory = exports['memory']
  let code = 0
  try {
    exports['_start']()
  } catch (error) {
    if (!(error instanceof ProgramEnd)) throw error
    code = error.code
  }
  return {
    code,
    errors: new TextDecoder().decode(errors?.bytes.subarray(0, errors.length)),
    files: new Map([...files].map(([name, file]) => [name, file.bytes.subarray(0, file.length)])),
  }
}
