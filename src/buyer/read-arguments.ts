import { parseArgs } from 'node:util'
import { usdcAddress } from '../core/chain-constants.ts'
import { type MicroUsd, usd } from '../core/money.ts'
import { UsageError } from './usage.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The methods that can carry a payment; `HEAD` never buys anything. */
export type Method = (typeof methods)[number]

/** The options of one run. */
export interface Arguments {
  url: URL
  method: Method
  /** The JSON text, or `@` and the name of a file with it. */
  body: string | undefined
  output: string | undefined
  maxPrice: MicroUsd
  keyFile: string | undefined
  /** Lower case. */
  sha256: string | undefined
  /** The only token to pay with. */
  asset: string
  timeoutSeconds: number
  json: boolean
}

const options = {
  method: { type: 'string', short: 'X' },
  data: { type: 'string', short: 'd' },
  output: { type: 'string', short: 'o' },
  'max-usd': { type: 'string' },
  'key-file': { type: 'string' },
  sha256: { type: 'string' },
  asset: { type: 'string' },
  timeout: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/**
 * Reads the command line.
 *
 * @param maxUsd the environment's MAX_USD, used when the option is absent
 * @throws UsageError that names what is wrong
 */
export function readArguments(argv: readonly string[], maxUsd: string | undefined): Arguments | 'help' {
  const { values, positionals } = parse(argv)
  if (values.help) return 'help'
  const [address, ...more] = positionals
  if (address === undefined) throw new UsageError('give the URL of what you want to buy')
  if (more.length > 0) throw new UsageError(`only one URL at a time, so what is ${JSON.stringify(more[0])}?`)
  const method = readMethod(values.method, values.data !== undefined)
  return {
    url: readUrl(address),
    method,
    body: values.data,
    output: values.output,
    maxPrice: readPrice(values['max-usd'] ?? (maxUsd || '1')),
    keyFile: values['key-file'],
    sha256: readPattern('--sha256', values.sha256, /^[0-9a-f]{64}$/i, '64 hexadecimal digits')?.toLowerCase(),
    asset: readPattern('--asset', values.asset, /^0x[0-9a-f]{40}$/i, '0x and 40 hexadecimal digits') ?? usdcAddress,
    timeoutSeconds: Number(
      readPattern('--timeout', values.timeout, /^[1-9]\d{0,4}$/, 'a whole number of seconds') ?? 300,
    ),
    json: values.json,
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    throw new UsageError(message.split(/(?<=')\. /)[0]?.split('\n')[0] ?? 'the options could not be read')
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${JSON.stringify(text)} is not a URL that starts with https:// or http://`)
  if (url.username || url.password) throw new UsageError('the URL must not contain a user name or a password')
  url.hash = ''
  return url
}

function readMethod(text: string | undefined, hasBody: boolean): Method {
  if (text === undefined) return hasBody ? 'POST' : 'GET'
  const method = methods.find((name) => name === text.toUpperCase())
  if (!method) throw new UsageError(`-X must be one of ${methods.join(', ')}`)
  if (method === 'GET' && hasBody) throw new UsageError('a GET request carries no body: leave out -d, or -X GET')
  return method
}

function readPrice(text: string): MicroUsd {
  try {
    return usd(text.replace(/^\$/, ''))
  } catch {
    throw new UsageError(`--max-usd (or MAX_USD) must be dollars like 0.25, not ${JSON.stringify(text)}`)
  }
}

function readPattern(name: string, text: string | undefined, pattern: RegExp, wanted: string): string | undefined {
  if (text !== undefined && !pattern.test(text)) throw new UsageError(`${name} must be ${wanted}`)
  return text
}
