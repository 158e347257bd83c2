import { access, constants, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { hasCode, writeAtomically } from '../storage/write-atomically.ts'
import type { Delivered } from './outcome.ts'
import type { Product } from './pay-for.ts'
import { UsageError } from './usage.ts'

/** Where the person wants the product. */
export interface Destination {
  /** The -o option. */
  output: string | undefined
  /** Standard output carries the report, not the product. */
  json: boolean
  stdout: NodeJS.WritableStream & { isTTY?: boolean }
}

/** Finds out before any money moves that the product could not be saved. */
export async function checkOutput(output: string | undefined): Promise<void> {
  if (output === undefined || output === '-') return
  const { path, isPlace, isFolder } = await look(output)
  if (isFolder) throw new UsageError(`-o ${output} is a folder; name a file`)
  await access(isPlace ? path : dirname(path), constants.W_OK).catch(() => {
    throw new UsageError(
      `-o ${output} cannot be written: ${isPlace ? 'have you the right to write to it?' : `is there a folder ${dirname(path)}?`}`,
    )
  })
}

/** What a terminal would obey or show in another order than it stands there: no stranger's text is given to one so. */
const commands = /(?!\r?\n|\t)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/**
 * Puts a product into the file that was asked for, else a text on standard output and other bytes in a new file. A
 * text that could command a terminal is bytes to one; pipes and files get everything as it is.
 */
export async function deliver(product: Product, { output, json, stdout }: Destination): Promise<Delivered['where']> {
  if (output !== undefined && output !== '-') return { is: 'file', path: await save(output, product.bytes) }
  const text = readText(product)
  if (json && text !== undefined) return { is: 'report', text }
  const isShown = stdout.isTTY && output !== '-'
  if (json || (isShown && (text === undefined || commands.test(text))))
    return { is: 'file', path: await saveAsNew(suggestName(product), product.bytes) }
  await new Promise<void>((resolve, reject) => {
    stdout.once('error', reject)
    stdout.write(product.bytes, (error) => (error ? reject(error) : resolve()))
  })
  return { is: 'output' }
}

/** What a name leads to. A place is a device or a pipe, which is written to; a rename would put a file there instead. */
async function look(output: string) {
  const path = await realpath(output).catch(() => output)
  const found = await stat(path).catch(() => undefined)
  return { path, isFolder: found?.isDirectory() === true, isPlace: found?.isFile() === false }
}

async function save(output: string, bytes: Uint8Array): Promise<string> {
  const { path, isPlace } = await look(output)
  if (isPlace) await writeFile(path, bytes)
  else await writeAtomically(path, bytes, { mode: 0o666 })
  return output
}

async function saveAsNew(name: string, bytes: Uint8Array): Promise<string> {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let copy = 1; copy < 1000; copy += 1) {
    const path = join('.', copy === 1 ? name : `${stem}-${copy}${extension}`)
    try {
      await writeAtomically(path, bytes, { mode: 0o666, exclusive: true })
      return path
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
  throw new Error(`there are a thousand files named like ${name}`)
}

const textTypes = /^(text\/|application\/([\w.+-]+\+)?(json|xml|yaml|javascript)\b)/

function readText({ bytes, headers }: Product): string | undefined {
  if (!textTypes.test(headers.get('content-type') ?? '')) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A name the shop suggests, stripped of anything that could lead out of the current folder or hide the file. */
function suggestName({ headers, url }: Product): string {
  const offered = /filename="?([^";]+)"?/i.exec(headers.get('content-disposition') ?? '')?.[1]
  const name = basename((offered ?? url.pathname).replaceAll('\\', '/'))
  return (
    name
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 100) || 'product.bin'
  )
}
