import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { parseJson } from './parse-json.ts'
import { UsageError } from './usage.ts'

/** The wallet that pays, and where its key comes from. */
export interface FoundKey {
  privateKey: `0x${string}`
  from: 'key file' | 'environment' | 'sandbox'
}

/** The places where a key may be. */
export interface KeySources {
  keyFile: string | undefined
  /** FARTHING_PRIVATE_KEY. */
  environment: string | undefined
  /** The file that a running sandbox writes. */
  sandboxFile: string
  url: URL
}

const hexKey = z.templateLiteral(['0x', z.string().check(z.regex(/^[0-9a-fA-F]{64}$/))])
const sandboxState = z.object({
  baseUrl: z.string(),
  gameUrl: z.optional(z.string()),
  buyer: z.object({ privateKey: hexKey }),
})

/**
 * Finds the key. The key of a sandbox takes precedence over that of the environment, because a sandbox uses Base's
 * chain id and token address: a real wallet's signature for simulated money would be valid for real money.
 *
 * @throws UsageError when a given key is not valid
 */
export async function findKey({ keyFile, environment, sandboxFile, url }: KeySources): Promise<FoundKey | undefined> {
  if (keyFile !== undefined) return { privateKey: readKey(await readText(keyFile), keyFile), from: 'key file' }
  const sandboxKey = await findSandboxKey(sandboxFile, url)
  if (sandboxKey) return { privateKey: sandboxKey, from: 'sandbox' }
  if (environment) return { privateKey: readKey(environment, 'FARTHING_PRIVATE_KEY'), from: 'environment' }
  return undefined
}

async function findSandboxKey(file: string, url: URL): Promise<`0x${string}` | undefined> {
  if (!isLoopback(url)) return undefined
  const state = sandboxState.safeParse(parseJson(await readFile(file).catch(() => '')))
  if (!state.success) return undefined
  const { baseUrl, gameUrl, buyer } = state.data
  return [baseUrl, gameUrl].some((known) => known !== undefined && isSamePlace(known, url))
    ? buyer.privateKey
    : undefined
}

/** Whether the host of a URL is this machine. */
export const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)

/** Whether a URL belongs to a known sandbox: loopback names are equal, and the port distinguishes sandboxes. */
function isSamePlace(known: string, url: URL): boolean {
  if (!URL.canParse(known)) return false
  const other = new URL(known)
  return isLoopback(other) && other.protocol === url.protocol && other.port === url.port
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new UsageError(`the key file ${file} cannot be read`)
  }
}

function readKey(text: string, name: string): `0x${string}` {
  const key = hexKey.safeParse(text.trim().replace(/^(?!0x)/, '0x'))
  if (!key.success) throw new UsageError(`${name} must hold a private key: 0x and 64 hexadecimal digits`)
  return key.data
}
