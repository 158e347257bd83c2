import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { hasCode } from './write-atomically.ts'

/**
 * The secret of this installation, created on the first start and readable by its owner only. Two programs that create
 * it at once get the same one. The file appears complete; where the file system has no hard links it is empty for a
 * moment, and the other program waits for its content.
 *
 * @param file where it is kept, below the data folder
 * @throws Error when the file is damaged, or cannot be read or created
 */
export function readSecret(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const draft = `${file}.${randomBytes(6).toString('hex')}`
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true })
    try {
      nameOnce(draft, file)
    } catch (error) {
      if (!existsSync(file)) throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  const secret = readWhole(file).trim()
  if (secret.length < 32) throw new Error(`${file} is damaged: restore it, or delete it to make a new one`)
  return secret
}

/** How long another program may take to fill a file that it has created empty. */
const fillMs = 2000

/** Waits while another program has created the file but not filled it: see `nameOnce`. */
function readWhole(file: string): string {
  const until = performance.now() + fillMs
  let secret = readFileSync(file, 'utf8')
  while (secret === '' && performance.now() < until) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    secret = readFileSync(file, 'utf8')
  }
  return secret
}

/**
 * Gives the draft its final name unless the name is taken. Where the file system has no hard links, an empty file is
 * created under the name first, which only one of two programs can do, and is then replaced.
 */
function nameOnce(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw error
    closeSync(openSync(file, 'wx'))
    renameSync(draft, file)
  }
}
