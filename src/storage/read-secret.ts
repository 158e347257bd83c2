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
 * The secret of this installation, made on the first start and kept for its owner's eyes. Two programs that make it at
 * once both use the same. It appears whole; where the file system has no links it is empty for a moment, which the
 * other program waits for.
 *
 * @param file where it is kept, below the data folder
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

/** How long another program may take to fill the file whose name it has taken. */
const fillMs = 2000

/** Waits for what another program is putting there: see `nameOnce`. */
function readWhole(file: string): string {
  const until = performance.now() + fillMs
  let secret = readFileSync(file, 'utf8')
  while (secret === '' && performance.now() < until) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    secret = readFileSync(file, 'utf8')
  }
  return secret
}

/** Where the file system has no links, a new empty file takes the name first, which one of two programs can make. */
function nameOnce(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw error
    closeSync(openSync(file, 'wx'))
    renameSync(draft, file)
  }
}
