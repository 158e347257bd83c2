import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../../', import.meta.url))
const kept = join(tmpdir(), `farthing-test-programs-${userInfo().username}`)

/**
 * Puts a program and everything it imports into one file, unchanged otherwise: a test that starts a program hundreds
 * of times would spend most of its time finding modules. Kept under the hash of what it holds.
 *
 * @param program path below the repository
 * @returns path of the file to run
 */
export async function bundleProgram(program: string): Promise<string> {
  const bundle = await rolldown({ input: join(root, program), cwd: root, platform: 'node', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, entryFileNames: '[name].mjs' })
  await bundle.close()
  const [main] = output
  const folder = join(kept, createHash('sha256').update(main.code).digest('hex').slice(0, 24))
  const file = join(folder, main.fileName)
  if (existsSync(file)) return file
  const fresh = `${folder}.${randomBytes(6).toString('hex')}`
  mkdirSync(fresh, { recursive: true })
  writeFileSync(join(fresh, main.fileName), main.code)
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true })
    if (!existsSync(file)) throw error
  }
  return file
}
