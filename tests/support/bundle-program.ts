import { createHash, randomBytes } from 'node:crypto'
import { existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../../', import.meta.url))
const usual = join(tmpdir(), `farthing-test-programs-${userInfo().username}`)

/** Lets a bundled module find its workers, fonts, packages and native code in the folder of its source. */
const places: Plugin = {
  name: 'places',
  resolveId: (id) =>
    id === 'sharp' ? { id: import.meta.resolve('sharp'), external: true, moduleSideEffects: false } : undefined,
  transform: (code, id) =>
    code.includes('import.meta.url')
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      : undefined,
}

/** Bundles products that the program finds by folder, because separate copies have error classes of their own. */
const products: Plugin = {
  name: 'products',
  transform(code, id) {
    if (id !== join(root, 'src/offers/find-products.ts')) return
    const files = globSync(join(root, 'functions/*/{offer,make}.ts')).map((file) => JSON.stringify(file))
    const loaders = files.map((file) => `[${file}, () => import(${file})]`)
    const found = 'import(/* @vite-ignore */ pathToFileURL(path).href)'
    if (!code.includes(found)) throw new Error(`${id} no longer loads products by ${found}`)
    return `const bundled = new Map([${loaders}])\n${code.replace(found, `(bundled.get(path)?.() ?? ${found})`)}`
  },
}

const bundled = new Map<string, Promise<string>>()

/**
 * Bundles a program and everything it imports into one file, otherwise unchanged: a test that starts a program hundreds
 * of times would spend most of its time resolving modules. The file is cached under the hash of its content.
 *
 * @param program path in the repository
 * @param kept folder for the file
 * @returns path of the file to run
 */
export function bundleProgram(program: string, kept = usual): Promise<string> {
  const found = bundled.get(program) ?? bundle(program, kept)
  bundled.set(program, found)
  return found
}

async function bundle(program: string, kept: string): Promise<string> {
  const input = join(root, program)
  const build = await rolldown({ input, cwd: root, platform: 'node', logLevel: 'silent', plugins: [places, products] })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false, entryFileNames: '[name].mjs' })
  await build.close()
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
