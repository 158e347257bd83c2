import { access, constants, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { hasCode, writeAtomically } from '../storage/write-atomically.ts'
import type { Delivered } from './outcome.ts'
import type { Product } from './pay-for.ts'
import { UsageError } from './usage.ts'

/** Where the user wants the product. */
export interface Destination {
  /** The -o option. */
  output: string | undefined
  /** Whether standard output carries the report rather than the product. */
  json: boolean
  stdout: NodeJS.WritableStream & { isTTY?: boolean }
}

/**
 * Checks, before any money moves, that the product can be saved.
 *
 * @throws UsageError when it cannot
 */
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

/**
 * Characters that a terminal would interpret as commands or that change the order of the text. A stranger's text that
 * contains them is not written to a terminal.
 */
const commands = /(?!\r?\n|\t)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/**
 * Saves a product in the requested file. Without one, a text goes to standard output and other content into a new file.
 * On a terminal, a text with terminal commands counts as other content; pipes and files get everything unchanged.
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

/**
 * What a path leads to. A device or pipe (`isPlace`) has to be written to directly; an atomic rename would replace it
 * by a file.
 */
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

/**
 * The file name that the shop suggests, without anything that could lead out of the current folder or hide the file.
 */
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
