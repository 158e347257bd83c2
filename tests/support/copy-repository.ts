import { cpSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const sources = ['src', 'functions', 'game-server', 'content', 'public']
const files = [
  'site.config.ts',
  'astro.config.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'LICENSE',
  'NOTICE',
]

/** Copies the sources into a folder that a test may change; installed packages and cached pictures are shared. */
export function copyRepository(parent = tmpdir()): string {
  const root = mkdtempSync(join(parent, 'farthing-copy-'))
  for (const name of [...sources, ...files]) cpSync(join(repository, name), join(root, name), { recursive: true })
  for (const name of ['node_modules', '.cache']) symlinkSync(join(repository, name), join(root, name))
  return root
}
