import { mkdirSync, mkdtempSync, opendirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Enough names that another order shows. */
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** The names in a folder in the order of the file system; `readdirSync` would sort them. */
function listUnsorted(folder: string): string[] {
  const found: string[] = []
  const open = opendirSync(folder)
  for (let item = open.readSync(); item; item = open.readSync()) found.push(item.name)
  open.closeSync()
  return found
}

/**
 * Whether the file system of a folder lists files in an order that depends on their names alone, as ext4 does. Others,
 * such as tmpfs, list them in the order in which they were written, or in its reverse.
 *
 * @param folder where two small folders are written and removed again
 */
export function hasFixedOrder(folder: string): boolean {
  const trial = mkdtempSync(join(folder, '.order-'))
  const listWritten = (order: readonly string[], index: number): string => {
    const written = join(trial, `${index}`)
    mkdirSync(written)
    for (const name of order) writeFileSync(join(written, name), '')
    return listUnsorted(written).join()
  }
  try {
    const [forwards, backwards] = [names, names.toReversed()].map(listWritten)
    return forwards === backwards
  } finally {
    rmSync(trial, { recursive: true })
  }
}
