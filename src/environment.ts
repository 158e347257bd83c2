import { z } from 'zod'
import { usdcAddress } from './chain-constants.ts'

const isLoopback = (url: string): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname)
const origin = z
  .string()
  .refine(
    (text) => /^https?:\/\/[^/?#]+\/?$/.test(text) && URL.canParse(text),
    'must be an address like https://shop.example, without path, query or fragment',
  )
  .transform((text) => new URL(text).origin)
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hexadecimal digits')
const privateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')
const port = z.coerce
  .number('must be a port number from 0 to 65535')
  .int('must be a port number from 0 to 65535')
  .min(0, 'must be a port number from 0 to 65535')
  .max(65_535, 'must be a port number from 0 to 65535')
const secureUrl = z
  .string()
  .refine((url) => /^https?:/.test(url) && URL.canParse(url), {
    error: 'must be an http(s) address',
    abort: true,
  })
  .refine((url) => url.startsWith('https:') || isLoopback(url), 'must be https: payments never travel over plain http')
  .transform((url) => url.replace(/\/+$/, ''))

const headersSchema = z.record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string())
const headers = z.string().transform((text, context) => {
  try {
    return headersSchema.parse(JSON.parse(text))
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a JSON object of header names and values' })
    return z.NEVER
  }
})
const addresses = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(address))
  .transform((list) => list.map((wallet) => wallet.toLowerCase()))

/** One sentence per key: the README's table is written from these descriptions. */
export const environmentSchema = z.object({
  FARTHING_MODE: z
    .enum(['sandbox', 'live'], 'must be sandbox or live')
    .default('sandbox')
    .describe('`sandbox` (simulated money, the default) or `live` (USDC on Base)'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on'),
  PORT: port.default(4321).describe('Port of the site'),
  GAME_PORT: port.optional().describe('Port of the game host; PORT + 1 when absent'),
  FACILITATOR_PORT: port.optional().describe('Sandbox: port of the local facilitator; PORT + 2 when absent'),
  CHAIN_PORT: port.optional().describe('Sandbox: port of the local chain; PORT + 3 when absent'),
  DATA_DIR: z.string().min(1).default('.data').describe('Folder of the ledger, of large products and of sandbox state'),
  BASE_URL: origin.optional().describe('Public address of the site; every link and every resource starts with it'),
  GAME_URL: origin.optional().describe('Public address of the game host'),
  WS_URL: z
    .url({ protocol: /^wss?$/, error: 'must be a ws(s) address' })
    .optional()
    .describe('Public address of the game socket; GAME_URL as ws(s) with /ws when absent'),
  PAY_TO_ADDRESS: address
    .refine((wallet) => !/^0x0{40}$/i.test(wallet), 'is the zero address, which would burn every sale')
    .optional()
    .describe('Wallet that receives every payment'),
  USDC_CONTRACT_ADDRESS: address.default(usdcAddress).describe('USDC contract; the canonical one on Base when absent'),
  FACILITATOR_URL: z
    .union([z.literal('self'), secureUrl])
    .optional()
    .describe('x402 v2 facilitator, or `self` to settle with FACILITATOR_PRIVATE_KEY'),
  FACILITATOR_HEADERS: headers.optional().describe('JSON object of headers sent to the facilitator (authentication)'),
  FACILITATOR_PRIVATE_KEY: privateKey.optional().describe('Gas key that settles payments when FACILITATOR_URL is self'),
  RPC_URL: secureUrl.optional().describe('Base RPC endpoint, the witness when a facilitator does not answer'),
  OWN_WALLETS: addresses
    .optional()
    .describe('Your own wallets, comma-separated: their purchases stay out of statistics'),
  NARRATION: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .describe('`off`: the site makes no narrations by itself; `npm run narrate` still does'),
  DATABASE_URL: z
    .undefined('is not supported yet: the ledger is a SQLite file in DATA_DIR; unset it')
    .optional()
    .describe('Reserved for PostgreSQL; refused until it works'),
})

/** The environment after parsing, defaults filled in. */
export type Environment = z.output<typeof environmentSchema>
