import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildFiles } from '../storage/build-folder.ts'

/** The buying program as one file. */
export interface BuyerBundle {
  readonly code: Buffer
  /** Hexadecimal; the install script refuses a download that differs. */
  readonly sha256: string
}

/** Its name among the client files. */
export const buyerFile = 'buy.mjs'

const toBundle = (code: Buffer): BuyerBundle => ({ code, sha256: createHash('sha256').update(code).digest('hex') })

/** The program from an earlier build of the same code, or newly bundled where there is none. */
export const takeBuyerBundle = async (root: string, earlier?: string): Promise<BuyerBundle> => {
  const made = earlier === undefined ? undefined : join(buildFiles(earlier).client, buyerFile)
  return made !== undefined && existsSync(made) ? toBundle(await readFile(made)) : await makeBuyerBundle(root)
}

/**
 * Bundles the buying program into one module that plain Node 20 runs without anything installed. It is published as
 * `/buy.mjs`. Pages read its hash and size from `virtual:buyer-bundle`, which waits for this bundle, so that the
 * prerendered install scripts and the published file cannot disagree.
 *
 * @throws Error when the program is missing or would need something that is not in the file
 */
export async function makeBuyerBundle(root: string): Promise<BuyerBundle> {
  const input = join(root, 'src/buyer/main.ts')
  if (!existsSync(input)) throw new Error('src/buyer/main.ts is missing: without it nobody can buy with one command')
  // Loaded on demand: most builds take the program from an earlier one.
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    transform: { target: 'node20' },
    logLevel: 'silent',
  })
  const { output } = await build.generate({
    format: 'esm',
    codeSplitting: false,
    // Names are kept, so that people who pipe it into Node can read it first.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  })
  await build.close()
  const [chunk, ...others] = output
  // A dynamic import that was inlined is listed under the chunk's own name.
  const foreign = [...chunk.imports, ...chunk.dynamicImports].filter(
    (name) => name !== chunk.fileName && !name.startsWith('node:'),
  )
  if (others.length > 0 || foreign.length > 0)
    throw new Error(`src/buyer/main.ts does not bundle into one file; it still needs ${foreign.join(', ')}`)
  return toBundle(Buffer.from(chunk.code))
}
