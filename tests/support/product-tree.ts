import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** A second project with the same code and these products, by file path, such as `functions/a/offer.ts`. */
export function openProductTree(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'farthing-products-'))
  for (const shared of ['src', 'content', 'node_modules']) symlinkSync(resolve(shared), join(root, shared))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(path, text)
  return { functions: join(root, 'functions'), close: () => rmSync(root, { recursive: true }) }
}
