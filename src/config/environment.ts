import { relative, resolve } from 'node:path'
import { z } from 'zod'
import { usdcAddress } from '../core/chain-constants.ts'
import { acceptedAssets } from './accepted-assets.ts'
import { acceptedNetworks } from './accepted-networks.ts'
import { cdpSecret } from './cdp-secret.ts'
import { databaseUrl } from './database-url.ts'
import { emailAddress, emailAddresses, emailEventList, smtpUrl } from './email-settings.ts'
import { makeFacilitatorHeaders } from './facilitator-headers.ts'
import { storageUrl } from './storage-settings.ts'
import { otlpEndpoint, otlpHeaders, sampledShare } from './tracing-settings.ts'
import { walletAddress as address } from './wallet-address.ts'
import { webhookSecret } from './webhook-secret.ts'

/** Whether the host of a URL is this machine. */
export const isLoopback = (url: string): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname)
const origin = z
  .string()
  .refine(
    (text) => /^https?:\/\/[^/?#@]+\/?$/.test(text) && URL.canParse(text),
    'must be an address like https://shop.example, without user name, path, query or fragment',
  )
  .transform((text) => new URL(text).origin)
const privateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits')
/** Digits only: JavaScript converts a string of spaces to 0, which is a valid port. */
const wholeNumber = (from: number, to: number, error = `must be a whole number from ${from} to ${to}`) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .pipe(z.number(error).min(from, error).max(to, error))
const port = wholeNumber(0, 65_535, 'must be a port number from 0 to 65535')
const onOff = z.enum(['on', 'off'], 'must be on or off')

const hasNoUser = (url: string): boolean => new URL(url).username + new URL(url).password === ''

/** The URL of an external service, without trailing slashes. It may be plain http only on this machine. */
const serviceUrl = (whenInsecure: string) =>
  z
    .string()
    .refine((url) => /^https?:/.test(url) && URL.canParse(url), { error: 'must be an http(s) address', abort: true })
    .refine((url) => url.startsWith('https:') || isLoopback(url), whenInsecure)
    .transform((url) => url.replace(/\/+$/, ''))
const rpcUrl = serviceUrl('must be https: payments never travel over plain http')
/** User info in a URL is refused because the HTTP client of the facilitators does not send it. */
const facilitatorUrl = rpcUrl.refine(hasNoUser, 'must not carry a user name or password: use FACILITATOR_HEADERS')
const engineUrl = serviceUrl('must be https unless it is on this machine').refine(
  hasNoUser,
  'must not carry a user name or password',
)

/** The URL is not changed: some receivers distinguish paths with and without a trailing slash. */
const receiverUrl = z
  .string()
  .refine((url) => /^https?:/.test(url) && URL.canParse(url), { error: 'must be an http(s) address', abort: true })
  .refine(hasNoUser, 'must not carry a user name or password')
  .refine((url) => url.startsWith('https:') || isLoopback(url), 'must be https unless it is on this machine')

const headers = makeFacilitatorHeaders(facilitatorUrl)
/** The facilitators in the order in which they are tried, none twice. */
const facilitators = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(z.union([z.literal('self'), facilitatorUrl])).min(1, 'must name a facilitator'))
  .refine((urls) => new Set(urls).size === urls.length, 'names a facilitator twice')
const addresses = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(address))
  .transform((list) => list.map((wallet) => wallet.toLowerCase()))

const listOf = (item: RegExp, message: string) =>
  z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.string().regex(item, message)).min(1, message))

const engine = z.enum(['embedded', 'minimax', 'openai'], 'must be embedded, minimax or openai').default('embedded')
const key = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be a key without spaces')
  .optional()
/** A variable that may be set for other programs: it is validated only where it is used. */
const usual = z.string().optional()
const testHosts = z.string().transform((text, context) => {
  const entries = text
    .split(',')
    .map((entry) => /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)=(127(?:\.\d{1,3}){3}):(\d{1,5})$/.exec(entry))
  const hosts = entries.flatMap((entry): [string, EgressTestHost][] =>
    entry ? [[entry[1] ?? '', { address: entry[2] ?? '', port: Number(entry[3]) }]] : [],
  )
  if (hosts.length === entries.length && hosts.every(([, { port: one }]) => one > 0 && one < 65_536))
    return new Map(hosts)
  context.addIssue({
    code: 'custom',
    message: 'must be a list like alpha.test=127.0.0.1:18443,beta.test=127.0.0.1:18444',
  })
  return z.NEVER
})

/** Whether a folder is below the one that the build publishes files from, or below the one that it writes to. */
const isPublished = (folder: string): boolean =>
  ['public', '.build'].some((name) => !/^\.\.(?:[/\\]|$)/.test(relative(resolve(name), resolve(folder))))

/** The address and port on this machine at which a test host of the sandbox listens. */
export interface EgressTestHost {
  readonly address: string
  readonly port: number
}

/** All settings. The table in the README is written from these descriptions. */
export const environmentSchema = z.object({
  FARTHING_MODE: z
    .enum(['sandbox', 'live'], 'must be sandbox or live')
    .default('sandbox')
    .describe('`sandbox` (simulated money, the default) or `live` (USDC on Base)'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on; default `127.0.0.1`'),
  PORT: port.default(4321).describe('Port of the site; default `4321`'),
  GAME_PORT: port.optional().describe('Port of the game host; default PORT + 1'),
  FACILITATOR_PORT: port
    .optional()
    .describe('Port of our own facilitator, in the sandbox or with FACILITATOR_URL=self; default PORT + 2'),
  CHAIN_PORT: port.optional().describe('Sandbox: port of the local chain; default PORT + 3'),
  DATA_DIR: z
    .string()
    .min(1)
    .refine(
      (folder) => !isPublished(folder),
      'must not be below public or .build: what is there is published, or removed with old builds',
    )
    .default('.data')
    .describe('Folder of the ledger, large products and sandbox state; default `.data`'),
  BACKUP_DIR: z
    .string()
    .min(1)
    .refine((folder) => !isPublished(folder), 'must not be below public or .build: what is there is published')
    .optional()
    .describe(
      'Folder of the backups; by default the storage of STORAGE_URL, or without one `backups` in DATA_DIR. Choose another disk: a backup on the same one is lost with it',
    ),
  STORAGE_URL: storageUrl
    .optional()
    .describe(
      'S3-compatible storage for large products, narrations and backups, instead of folders: `s3://bucket/prefix?endpoint=https://…&region=…&path-style=1`; see docs/storage.md',
    ),
  STORAGE_ACCESS_KEY_ID: key.describe('Storage: ID of the key that signs requests; default AWS_ACCESS_KEY_ID'),
  STORAGE_SECRET_ACCESS_KEY: key.describe('Storage: secret of that key; default AWS_SECRET_ACCESS_KEY'),
  AWS_ACCESS_KEY_ID: usual.describe('Storage: used when STORAGE_ACCESS_KEY_ID is not set'),
  AWS_SECRET_ACCESS_KEY: usual.describe('Storage: used when STORAGE_SECRET_ACCESS_KEY is not set'),
  AWS_SESSION_TOKEN: usual.describe(
    'Storage: refused together with AWS_ACCESS_KEY_ID, because such temporary keys expire after hours',
  ),
  AWS_REGION: usual.describe('Storage: used when STORAGE_URL names no region'),
  BASE_URL: origin
    .optional()
    .describe(
      'Public address of the site, which every link starts with; required in live mode, in the sandbox `http://localhost:PORT` by default',
    ),
  GAME_URL: origin
    .optional()
    .describe(
      'Public address of the game host; required in live mode, in the sandbox `http://localhost:GAME_PORT` by default',
    ),
  WS_URL: z
    .url({ protocol: /^wss?$/, error: 'must be a ws(s) address' })
    .optional()
    .describe("Public address of the game's WebSocket; default GAME_URL with ws(s) and /ws"),
  PAY_TO_ADDRESS: address
    .refine((wallet) => !/^0x0{40}$/i.test(wallet), 'is the zero address, which would burn every sale')
    .optional()
    .describe('Wallet that receives every payment; required in live mode'),
  USDC_CONTRACT_ADDRESS: address
    .default(usdcAddress)
    .describe('USDC contract; default `0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913`, the official one on Base'),
  ALSO_ACCEPTS: acceptedAssets
    .optional()
    .describe(
      'Tokens accepted besides USDC, and their rate: `eurc=920000` accepts EURC, at 920000 millionths of it per dollar; none by default',
    ),
  ALSO_NETWORKS: acceptedNetworks
    .optional()
    .describe(
      'Sandbox only: networks on which USDC is accepted besides Base: `base-sepolia`, a test network whose money is worth nothing; none by default',
    ),
  FACILITATOR_URL: facilitators
    .optional()
    .describe(
      'x402 v2 facilitator, or `self` to settle with FACILITATOR_PRIVATE_KEY; in a comma-separated list, the next one takes over when one fails; required in live mode',
    ),
  FACILITATOR_HEADERS: headers
    .optional()
    .describe(
      'JSON object of headers sent to the facilitator, for authentication; with several facilitators, an object of such objects by address',
    ),
  CDP_API_KEY_ID: key.describe(
    'API key of the Coinbase Developer Platform, with which requests to its facilitator are signed',
  ),
  CDP_API_KEY_SECRET: cdpSecret.optional().describe('Its secret: Ed25519 in base64, or an EC key as PEM'),
  CDP_BASE_URL: engineUrl
    .default('https://api.cdp.coinbase.com')
    .describe(
      'Requests to facilitators at this host are signed with CDP_API_KEY_ID; default `https://api.cdp.coinbase.com`',
    ),
  FACILITATOR_PRIVATE_KEY: privateKey
    .optional()
    .describe('Private key of the gas wallet that settles payments when FACILITATOR_URL is self'),
  SETTLEMENT_MAX_GAS: wholeNumber(60_000, 3_000_000)
    .default(300_000)
    .describe(
      'Our own facilitator refuses payments that need more gas to settle; default `300000`. A plain one needs 60000 to 90000',
    ),
  SETTLEMENT_MAX_GAS_SHARE: wholeNumber(1, 1000)
    .optional()
    .describe(
      'Our own facilitator refuses payments whose gas costs more than this percentage of the price; default 50 in live mode, no limit in the sandbox',
    ),
  SETTLEMENT_ETH_USD: wholeNumber(1, 1_000_000)
    .default(5000)
    .describe(
      'Price of one ether in whole dollars, assumed for SETTLEMENT_MAX_GAS_SHARE; default `5000`. Rather set it too high than too low',
    ),
  WALLET_FACTORIES: addresses
    .optional()
    .describe(
      'Factories, comma-separated, whose contract wallets our own facilitator deploys with their first payment (ERC-6492); none by default. This needs 300000 to 500000 gas: raise SETTLEMENT_MAX_GAS',
    ),
  RPC_URL: rpcUrl
    .optional()
    .describe(
      'Base RPC endpoint, with which the shop checks on the chain whether money has moved; its redirects are not followed; required in live mode',
    ),
  BASE_SEPOLIA_RPC_URL: rpcUrl
    .optional()
    .describe('Base Sepolia: RPC endpoint; by default the sandbox starts a chain of its own'),
  BASE_SEPOLIA_FACILITATOR_URL: facilitators
    .optional()
    .describe(
      'Base Sepolia: facilitator, as in FACILITATOR_URL; `self` settles with BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY',
    ),
  BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY: privateKey
    .optional()
    .describe('Base Sepolia: private key of the gas wallet that settles payments there'),
  BASE_SEPOLIA_FACILITATOR_PORT: port
    .optional()
    .describe('Base Sepolia: port of our own facilitator; default PORT + 4'),
  BASE_SEPOLIA_CHAIN_PORT: port
    .optional()
    .describe('Base Sepolia: port of the chain that the sandbox starts; default PORT + 5'),
  FARTHING_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'Secret of at least 32 characters, from which the tokens of bought player names and the key that signs receipts are derived; key files in DATA_DIR by default',
    ),
  GAME_HOST_URL: origin
    .optional()
    .describe(
      'Address at which other game hosts on the same DATABASE_URL reach this one, such as `http://10.0.0.5:4322`; by default its HOST, or the first address of this machine, and its port',
    ),
  RATE_LIMITS: onOff
    .optional()
    .describe(
      '`on` (the default in live mode): limits per address also apply to callers on this machine; `off` (the default in the sandbox): they do not',
    ),
  TRUSTED_PROXIES: wholeNumber(0, 9, 'must be a number from 0 to 9')
    .default(0)
    .describe('Number of your proxies in front of both programs, whose X-Forwarded-For names the caller; default `0`'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters, and no spaces')
    .optional()
    .describe(
      'Whoever sends it as `Authorization: Bearer …` may read `/metrics` from anywhere; without it only this machine may',
    ),
  WEBHOOK_URL: receiverUrl
    .optional()
    .describe('Address that is told about settled and doubted payments, failed jobs and low gas (Standard Webhooks)'),
  WEBHOOK_SECRET: webhookSecret
    .optional()
    .describe('Secret that signs webhooks: `whsec_` and 24 to 64 bytes in base64; required with WEBHOOK_URL'),
  SMTP_URL: smtpUrl
    .optional()
    .describe(
      'Mail server that sends alarms and the newsletter: `smtps://user:password@host:465`, or `smtp://…:587`, which must offer STARTTLS',
    ),
  EMAIL_FROM: emailAddress.optional().describe('Sender of these e-mails; required with SMTP_URL'),
  EMAIL_TO: emailAddresses.optional().describe('Recipients of the alarms, comma-separated; required with SMTP_URL'),
  EMAIL_EVENTS: emailEventList.describe(
    'Events that e-mails are sent for; default `payment.doubted`, `job.failed` and `gas.low`; `payment.settled` is the fourth',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint
    .optional()
    .describe(
      'OpenTelemetry: collector that receives traces of requests and payments, such as `http://localhost:4318`',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders
    .optional()
    .describe('Headers for the collector, `name=value,…`; it must then be https or on this machine'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal('http/json', 'must be http/json: traces are sent as JSON, which collectors take at the same address')
    .optional()
    .describe('`http/json`, the only protocol there is'),
  OTEL_SERVICE_NAME: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Name of the program in traces; default `farthing-site` and `farthing-game`'),
  OTEL_TRACES_SAMPLER_ARG: sampledShare
    .default(1)
    .describe('Share of the traces that begin here and are recorded, from 0 to 1; default `1`'),
  OWN_WALLETS: addresses
    .optional()
    .describe('Your own wallets, comma-separated: their purchases are left out of statistics'),
  NARRATION: onOff
    .default('on')
    .describe('`on` (the default), or `off`: the site narrates no posts by itself; `npm run narrate` still does'),
  JOBS: onOff
    .default('on')
    .describe(
      '`on` (the default), or `off`: the site runs no jobs by itself (backups, narration, upkeep); `npm run job` still does',
    ),
  WORKER_PRIORITY: z
    .enum(['low', 'usual'], 'must be low or usual')
    .default('low')
    .describe(
      '`low` (the default), or `usual`: background work no longer gives way to requests; for tests on a busy machine',
    ),
  IMAGE_ENGINE: engine.describe(
    'Engine for the images that are sold: `embedded` (no key, no network, the default), `minimax` or `openai`',
  ),
  VOICE_ENGINE: engine.describe(
    'Engine for the narrations that are sold, and for posts: `embedded` (the default), `minimax` or `openai`',
  ),
  MINIMAX_API_KEY: key.describe('Key of MiniMax; required when an engine is `minimax`'),
  MINIMAX_GROUP_ID: z
    .string()
    .regex(/^\d{1,32}$/, 'must be a number')
    .optional()
    .describe('Group ID of an older MiniMax account'),
  MINIMAX_BASE_URL: engineUrl
    .default('https://api.minimax.io')
    .describe('API address of your MiniMax region; default `https://api.minimax.io`'),
  OPENAI_API_KEY: key.describe('Key of the OpenAI-compatible service, unless it needs none'),
  OPENAI_BASE_URL: engineUrl
    .default('https://api.openai.com/v1')
    .describe('Address of the OpenAI-compatible service, with its version; default `https://api.openai.com/v1`'),
  OPENAI_IMAGE_MODEL: z
    .string()
    .min(1)
    .max(128)
    .default('gpt-image-1')
    .describe('Its image model; default `gpt-image-1`'),
  OPENAI_VOICE_MODEL: z
    .string()
    .min(1)
    .max(128)
    .default('gpt-4o-mini-tts')
    .describe('Its speech model; default `gpt-4o-mini-tts`'),
  OPENAI_VOICES: listOf(/^[\w.:()+-]{1,128}$/, 'must be names of voices, comma-separated')
    .optional()
    .describe('Voices of that service, comma-separated; the first reads the posts; default: those of OpenAI'),
  OPENAI_VOICE_LANGUAGES: listOf(/^[A-Za-z]{2,3}(?:-[A-Za-z\d]+)*$/, 'must be languages like en,de')
    .optional()
    .describe(
      'Languages that they speak, such as `en,de`; texts in other languages are refused uncharged; default: any',
    ),
  EGRESS_TEST_HOSTS: testHosts
    .optional()
    .describe(
      'Sandbox only: host names that the page packer and the site check find on this machine, `name=127.0.0.1:port,…`',
    ),
  EGRESS_TEST_CA: z
    .string()
    .min(1)
    .optional()
    .describe('Sandbox only: file of the certificate authority that vouches for EGRESS_TEST_HOSTS'),
  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      'PostgreSQL database instead of SQLite files (docs/scaling.md): `postgres://user:password@host:5432/database`; if it is not on this machine, with `?sslmode=verify-full` or, on your own network, `?sslmode=disable`',
    ),
})

/**
 * Settings of what only the site does: settling with a gas key, test networks, engines, jobs, statistics. They are not
 * passed to any other program.
 */
export const siteSettings: ReadonlySet<string> = new Set<keyof typeof environmentSchema.shape>([
  'FACILITATOR_PORT',
  'FACILITATOR_PRIVATE_KEY',
  'CHAIN_PORT',
  'ALSO_NETWORKS',
  'BASE_SEPOLIA_RPC_URL',
  'BASE_SEPOLIA_FACILITATOR_URL',
  'BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY',
  'BASE_SEPOLIA_FACILITATOR_PORT',
  'BASE_SEPOLIA_CHAIN_PORT',
  'BACKUP_DIR',
  'STORAGE_URL',
  'STORAGE_ACCESS_KEY_ID',
  'STORAGE_SECRET_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  'WEBHOOK_URL',
  'WEBHOOK_SECRET',
  'SMTP_URL',
  'EMAIL_FROM',
  'EMAIL_TO',
  'EMAIL_EVENTS',
  'OWN_WALLETS',
  'NARRATION',
  'JOBS',
  'IMAGE_ENGINE',
  'VOICE_ENGINE',
  'MINIMAX_API_KEY',
  'MINIMAX_GROUP_ID',
  'MINIMAX_BASE_URL',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_IMAGE_MODEL',
  'OPENAI_VOICE_MODEL',
  'OPENAI_VOICES',
  'OPENAI_VOICE_LANGUAGES',
  'EGRESS_TEST_HOSTS',
  'EGRESS_TEST_CA',
])

/** The environment after parsing, defaults filled in. */
export type Environment = z.output<typeof environmentSchema>
