import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { ConfigError } from '../../src/config/config-error.ts'
import { allFacilitators } from '../../src/config/facilitators.ts'
import { findDoubts } from '../../src/config/find-doubts.ts'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'

const live = {
  FARTHING_MODE: 'live',
  BASE_URL: 'https://shop.example',
  GAME_URL: 'https://play.shop.example',
  PAY_TO_ADDRESS: '0x4444444444444444444444444444444444444444',
  FACILITATOR_URL: 'https://facilitator.example/x402',
  RPC_URL: 'https://rpc.example/key',
}
const complaint = (env: Record<string, string | undefined>): string => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

describe('the webhook receiver', () => {
  const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const url = 'https://hooks.example/of/farthing/?key=1'

  it('has an address that is kept exactly, and a secret that is never printed', () => {
    const { webhook } = readConfig({ WEBHOOK_URL: url, WEBHOOK_SECRET })
    expect([webhook?.url, webhook?.key()]).toEqual([url, Buffer.alloc(24, 7)])
    expect(JSON.stringify(readConfig({ WEBHOOK_URL: url, WEBHOOK_SECRET, METRICS_TOKEN: 't'.repeat(16) }))).not.toMatch(
      /BwcHBwcH|tttt/,
    )
    expect(readConfig({}).webhook).toBeUndefined()
  })

  it('may be on this machine in the sandbox only, and must use https elsewhere', () => {
    const local = { WEBHOOK_URL: 'http://127.0.0.1:9000/', WEBHOOK_SECRET }
    expect(readConfig(local).webhook?.url).toBe('http://127.0.0.1:9000/')
    expect(complaint({ ...live, ...local })).toContain('WEBHOOK_URL')
    expect(complaint({ ...live, ...local, WEBHOOK_URL: 'https://localhost/' })).toContain('WEBHOOK_URL')
    expect(complaint({ WEBHOOK_URL: 'http://hooks.example/', WEBHOOK_SECRET })).toContain('must be https')
    expect(complaint({ WEBHOOK_URL: 'https://me:secret@hooks.example/', WEBHOOK_SECRET })).toContain('password')
    expect(complaint({ ...live, WEBHOOK_URL: url, WEBHOOK_SECRET })).toBe('')
  })

  it('needs an address and a secret in the format of Standard Webhooks', () => {
    expect(complaint({ WEBHOOK_URL: url })).toBe('WEBHOOK_SECRET must be set when WEBHOOK_URL is')
    expect(complaint({ WEBHOOK_SECRET })).toBe('WEBHOOK_URL must be set when WEBHOOK_SECRET is')
    const short = `whsec_${Buffer.alloc(23).toString('base64')}`
    for (const wrong of ['secret', WEBHOOK_SECRET.slice(6), short, `${WEBHOOK_SECRET}!`, 'whsec_'])
      expect(complaint({ WEBHOOK_URL: url, WEBHOOK_SECRET: wrong })).toBe(
        'WEBHOOK_SECRET must be whsec_ and 24 to 64 bytes in base64',
      )
  })
})

describe('the sandbox', () => {
  it('needs no setting at all', () => {
    expect(readConfig({})).toMatchObject({
      mode: 'sandbox',
      baseUrl: 'http://localhost:4321',
      gameUrl: 'http://localhost:4322',
      wsUrl: 'ws://localhost:4322/ws',
      facilitator: { is: 'local', url: 'http://127.0.0.1:4323' },
      rpcUrl: 'http://127.0.0.1:4324',
      payTo: sandboxPayTo,
      dataDir: '.data',
      backupDir: '.data/backups',
    })
  })

  it('derives every port from PORT, so that several sandboxes run side by side', () => {
    expect(readConfig({ PORT: '5000' })).toMatchObject({
      gamePort: 5001,
      facilitatorPort: 5002,
      chainPort: 5003,
      baseUrl: 'http://localhost:5000',
    })
  })

  it('keeps backups beside the data or in a given folder, and never where files are published', () => {
    expect(readConfig({ DATA_DIR: '/d' }).backupDir).toBe('/d/backups')
    expect(readConfig({ BACKUP_DIR: '/mnt/b' }).backupDir).toBe('/mnt/b')
    for (const BACKUP_DIR of ['public', './public/b', 'content/../.build/x'])
      expect(complaint({ BACKUP_DIR })).toBe(
        'BACKUP_DIR must not be below public or .build: what is there is published',
      )
    expect(readConfig({ DATA_DIR: '..data' }).dataDir).toBe('..data')
    // The ledger and the keys would be published with the pages, or deleted with an old build.
    for (const DATA_DIR of ['public/data', '.build/data', '.build', 'public/..data', 'public/...'])
      expect(complaint({ DATA_DIR })).toBe(
        'DATA_DIR must not be below public or .build: what is there is published, or removed with old builds',
      )
  })

  it('uses given addresses, and treats an empty one as absent', () => {
    const env = { BASE_URL: 'https://try.example', GAME_URL: '', FACILITATOR_URL: 'https://f.example/' }
    const config = readConfig({ ...env, PAY_TO_ADDRESS: live.PAY_TO_ADDRESS })
    expect(config).toMatchObject({ baseUrl: 'https://try.example', payTo: live.PAY_TO_ADDRESS })
    expect(config.facilitator).toMatchObject({ is: 'remote', url: 'https://f.example' })
    expect(config.spareFacilitators).toEqual([])
  })
})

describe('live', () => {
  it('accepts a complete environment', () => {
    expect(readConfig(live)).toMatchObject({ mode: 'live', wsUrl: 'wss://play.shop.example/ws', ownWallets: [] })
    const self = { ...live, FACILITATOR_URL: 'self', FACILITATOR_PRIVATE_KEY: `0x${'5'.repeat(64)}` }
    expect(readConfig(self).facilitator.is).toBe('self')
  })

  it('limits requests from this machine, too, unless the operator exempts it', () => {
    const limits = (env: Record<string, string>) => readConfig(env).limitsLoopback
    expect([limits(live), limits({ ...live, RATE_LIMITS: 'on' }), limits({ ...live, RATE_LIMITS: 'off' })]).toEqual([
      true,
      true,
      false,
    ])
    expect([limits({}), limits({ RATE_LIMITS: 'on' }), limits({ RATE_LIMITS: 'off' })]).toEqual([false, true, false])
  })

  it('names every setting that is missing', () => {
    const lines = complaint({ FARTHING_MODE: 'live' }).split('\n')
    expect(lines.map((line) => line.split(' ')[0])).toEqual(Object.keys(live).slice(1))
  })

  it.each([
    ['the sandbox wallet', { PAY_TO_ADDRESS: sandboxPayTo }, 'PAY_TO_ADDRESS'],
    ['a well-known wallet', { PAY_TO_ADDRESS: sandboxAccounts.buyer.address }, 'PAY_TO_ADDRESS'],
    ['the zero address', { PAY_TO_ADDRESS: `0x${'0'.repeat(40)}` }, 'PAY_TO_ADDRESS'],
    ['a site over plain http', { BASE_URL: 'http://shop.example' }, 'BASE_URL'],
    ['a site over plain http on this machine', { BASE_URL: 'http://localhost' }, 'BASE_URL'],
    ['a game over plain http', { GAME_URL: 'http://play.shop.example' }, 'GAME_URL'],
    ['a socket without TLS', { WS_URL: 'ws://play.shop.example/ws' }, 'WS_URL'],
    ['a facilitator over plain http', { FACILITATOR_URL: 'http://facilitator.example' }, 'FACILITATOR_URL'],
    ['an RPC over plain http', { RPC_URL: 'http://rpc.example' }, 'RPC_URL'],
    ['its own gas without a key', { FACILITATOR_URL: 'self' }, 'FACILITATOR_PRIVATE_KEY'],
    [
      'a well-known gas key',
      { FACILITATOR_URL: 'self', FACILITATOR_PRIVATE_KEY: sandboxAccounts.facilitator.privateKey },
      'FACILITATOR_PRIVATE_KEY',
    ],
  ])('refuses %s and names the setting', (_, change, name) => {
    expect(complaint({ ...live, ...change })).toMatch(new RegExp(`^${name} `))
  })
})

describe('the address of a wallet or a token', () => {
  const right = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const names = ['PAY_TO_ADDRESS', 'USDC_CONTRACT_ADDRESS', 'OWN_WALLETS']

  it.each(names)('is refused as %s when its checksum reveals a typing mistake', (name) => {
    expect(complaint({ [name]: right })).toBe('')
    for (const wrong of [right.replace('aAeb', 'aAeB'), right.replace('6053', '6054')])
      expect(complaint({ [name]: wrong })).toBe(
        `${name} has a wrong checksum, so at least one character is wrong: copy it again from your wallet`,
      )
  })

  it('in capitals is lower-cased, because wallet libraries refuse capitals that are not a checksum', () => {
    const capitals = `0x${right.slice(2).toUpperCase()}`
    const { payTo, asset } = readConfig({ PAY_TO_ADDRESS: capitals, USDC_CONTRACT_ADDRESS: capitals })
    expect([payTo, asset]).toEqual([right.toLowerCase(), right.toLowerCase()])
  })

  it('is accepted without a checksum, with a warning that shows the checksummed spelling', () => {
    const small = right.toLowerCase()
    const spelled = `is written without a checksum, so a mistyped character would not be noticed; if it is right, write ${right}`
    const doubts = (env: object) => findDoubts(readConfig({ ...live, ...env }))
    expect(doubts({ PAY_TO_ADDRESS: small })).toEqual([`PAY_TO_ADDRESS ${spelled}`])
    expect(doubts({ PAY_TO_ADDRESS: `0x${small.slice(2).toUpperCase()}` })).toEqual([`PAY_TO_ADDRESS ${spelled}`])
    expect(doubts({ USDC_CONTRACT_ADDRESS: small })).toEqual([`USDC_CONTRACT_ADDRESS ${spelled}`])
    // All digits have no case, and the canonical token is known.
    expect(doubts({ USDC_CONTRACT_ADDRESS: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' })).toEqual([])
  })

  it('warns about key files that other programs on the same database do not have', () => {
    const DATABASE_URL = 'postgres://me:hidden@localhost/shop'
    const doubts = (env: object) => findDoubts(readConfig({ ...live, DATABASE_URL, ...env })).join()
    expect(doubts({})).toMatch(/^FARTHING_SECRET is not set, so keys are files in DATA_DIR; set the same one/)
    expect(doubts({})).not.toContain('hidden')
    expect(doubts({ FARTHING_SECRET: 's'.repeat(32) })).toBe('')
  })
})

describe('an outgoing HTTP proxy', () => {
  const config = readConfig(live)
  const HTTPS_PROXY = 'http://me:hidden@proxy.example:3128'

  it('causes a warning when it is set but not used, without showing it', () => {
    for (const name of ['HTTPS_PROXY', 'https_proxy']) {
      const [doubt = ''] = findDoubts(config, { [name]: HTTPS_PROXY })
      expect(doubt).toMatch(new RegExp(`^${name} is set, but nothing uses that proxy; .*NODE_OPTIONS=--use-env`))
      expect(doubt).not.toContain('hidden')
    }
    expect(findDoubts(config, { HTTPS_PROXY: '' })).toEqual([])
    expect(findDoubts(config)).toEqual([])
    expect(findDoubts(readConfig({}), { HTTPS_PROXY })).toEqual([])
  })

  it('is used when configured as the warning says, even in an env file, and not in another way', () => {
    const folder = mkdtempSync(join(tmpdir(), 'farthing-proxy-'))
    const doubtWith = (...lines: readonly string[]) => {
      writeFileSync(join(folder, 'shop.env'), `HTTPS_PROXY=${HTTPS_PROXY}\n${lines.join('\n')}\n`)
      const source = `import { findProxyDoubt } from './src/config/find-proxy-doubt.ts'
        console.log(findProxyDoubt({ mode: 'live', env: process.env }) === undefined)`
      const args = [`--env-file=${join(folder, 'shop.env')}`, '--input-type=module', '-e', source]
      return spawnSync(process.execPath, args, { encoding: 'utf8', env: {} }).stdout
    }
    expect([doubtWith('NODE_OPTIONS=--use-env-proxy'), doubtWith('NODE_USE_ENV_PROXY=1')]).toEqual([
      'true\n',
      'false\n',
    ])
    rmSync(folder, { recursive: true })
  })
})

it('accepts other tokens than USDC only when enabled, at a rate in whole units', () => {
  expect(readConfig({}).alsoAccepts).toEqual([])
  expect(readConfig({ ALSO_ACCEPTS: 'eurc=920000' }).alsoAccepts).toMatchObject([{ symbol: 'EURC', perUsd: 920_000n }])
})

describe('a test network beside Base', () => {
  const ALSO_NETWORKS = 'base-sepolia'
  const key = `0x${'5'.repeat(64)}`
  const real = { ALSO_NETWORKS, BASE_SEPOLIA_RPC_URL: 'https://sepolia.example', BASE_SEPOLIA_FACILITATOR_URL: 'self' }

  it('is accepted only when enabled, on chains of the sandbox or on the real one', () => {
    expect(readConfig({}).alsoNetworks).toEqual([])
    const [own] = readConfig({ ALSO_NETWORKS, PORT: '5000' }).alsoNetworks
    expect(own).toMatchObject({
      ...{ network: { id: 'eip155:84532', isTest: true }, rpcUrl: 'http://127.0.0.1:5005' },
      facilitator: { is: 'local', url: 'http://127.0.0.1:5004' },
    })
    const [other] = readConfig({ ...real, BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY: key }).alsoNetworks
    expect([other?.rpcUrl, other?.facilitator.is, other?.facilitatorKey()]).toEqual([
      real.BASE_SEPOLIA_RPC_URL,
      'self',
      key,
    ])
    expect(inspect(other)).not.toContain('5555')
  })

  it('is never accepted by a live shop, which would give its products away', () => {
    expect(complaint({ ...live, ALSO_NETWORKS })).toMatch(/^ALSO_NETWORKS names base-sepolia, a test network: anybody/)
    expect(complaint({ ...live, ...real, BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY: key })).toMatch(/^ALSO_NETWORKS names/)
  })

  it('gets only the headers for its own facilitator', () => {
    const url = 'https://f.example'
    const there = { ...real, BASE_SEPOLIA_FACILITATOR_URL: url, FACILITATOR_URL: 'https://g.example' }
    const headers = (FACILITATOR_HEADERS: object) => {
      const { facilitator, alsoNetworks } = readConfig({
        ...there,
        FACILITATOR_HEADERS: JSON.stringify(FACILITATOR_HEADERS),
      })
      return [facilitator.headers, alsoNetworks[0]?.facilitator.headers]
    }
    expect(headers({ key: 'one' })).toEqual([{ key: 'one' }, {}])
    expect(headers({ [url]: { key: 'two' } })).toEqual([{}, { key: 'two' }])
  })

  it.each([
    ['BASE_SEPOLIA_RPC_URL', { BASE_SEPOLIA_RPC_URL: 'https://sepolia.example' }],
    ['BASE_SEPOLIA_FACILITATOR_URL', { BASE_SEPOLIA_FACILITATOR_URL: 'https://f.example' }],
    ['BASE_SEPOLIA_RPC_URL and', { ALSO_NETWORKS, BASE_SEPOLIA_RPC_URL: 'https://sepolia.example' }],
    ['BASE_SEPOLIA_RPC_URL and', { ALSO_NETWORKS, BASE_SEPOLIA_FACILITATOR_URL: 'https://f.example' }],
    [
      'BASE_SEPOLIA_RPC_URL',
      { ...real, BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY: key, RPC_URL: real.BASE_SEPOLIA_RPC_URL },
    ],
    ['BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY', real],
    [
      'BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY',
      { ...real, BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY: key, FACILITATOR_PRIVATE_KEY: key },
    ],
  ])('is refused with a sentence about %s when settings contradict each other', (start, env) => {
    expect(complaint(env).split('\n')).toEqual([expect.stringContaining(`${start} `)])
  })
})

it.each([
  ['PORT', 'many'],
  ['PORT', ' '],
  ['PORT', '1e3'],
  ['PORT', '0x10e1'],
  ['PORT', '4321.0'],
  ['TRUSTED_PROXIES', ' '],
  ['TRUSTED_PROXIES', '-1'],
  ['SETTLEMENT_MAX_GAS', '59999'],
  ['SETTLEMENT_MAX_GAS_SHARE', ' '],
  ['OTEL_TRACES_SAMPLER_ARG', ' '],
  ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
  ['BASE_URL', 'https://me:secret@shop.example'],
  ['FACILITATOR_URL', 'https://me:secret@facilitator.example'],
  ['OPENAI_BASE_URL', 'https://me:secret@models.example/v1'],
  ['PORT', '65536'],
  ['BASE_URL', 'shop.example'],
  ['BASE_URL', 'https://shop.example/path'],
  ['PAY_TO_ADDRESS', '0x1234'],
  ['FACILITATOR_HEADERS', 'not json'],
  ['FACILITATOR_HEADERS', '["a"]'],
  ['FACILITATOR_HEADERS', '{"Authorization":"Bearer a\\nb"}'],
  ['FACILITATOR_HEADERS', '{"Authorization":"Bearer a","Authorization":"Bearer b"}'],
  ['FACILITATOR_HEADERS', '{"Authorization":"Bearer a","Authorizatio\\u006e":"Bearer b"}'],
  ['FACILITATOR_HEADERS', '{"Authorization":"Bearer a","authorization":"Bearer b"}'],
  ['FACILITATOR_HEADERS', '{"https://a.example":{"X-Key":"a"},"https://a.example":{"X-Key":"b"}}'],
  ['FACILITATOR_HEADERS', '{"https://a.example":{"X-Key":"a"},"https://a.example/":{"X-Key":"b"}}'],
  ['FACILITATOR_HEADERS', '{"https://a.example":{"X-Key":"a","X-Key":"b"}}'],
  ['OWN_WALLETS', '0x12'],
  ['WALLET_FACTORIES', '0x12'],
  ['ALSO_ACCEPTS', 'doge=920000'],
  ['ALSO_ACCEPTS', 'eurc'],
  ['ALSO_ACCEPTS', 'eurc=0.92'],
  ['ALSO_ACCEPTS', 'eurc=92'],
  ['ALSO_ACCEPTS', 'eurc=920000,eurc=930000'],
  ['ALSO_NETWORKS', 'polygon'],
  ['ALSO_NETWORKS', 'base-sepolia,base-sepolia'],
  ['BASE_SEPOLIA_RPC_URL', 'http://sepolia.example'],
  ['DATABASE_URL', 'postgres://db'],
  ['DATABASE_URL', 'mysql://me:secret@localhost/shop'],
  ['DATABASE_URL', 'postgres://:secret@localhost/shop'],
  ['DATABASE_URL', 'postgres://me:100%secret@localhost/shop'],
  ['DATABASE_URL', 'postgres://100%:secret@localhost/shop'],
  ['DATABASE_URL', 'postgres://me:secret@localhost/100%'],
  ['DATABASE_URL', 'postgres://me:secret@localhost'],
  ['DATABASE_URL', 'postgres://me:secret@localhost/shop/more'],
  ['DATABASE_URL', 'postgres://me:secret@localhost/shop?target_session_attrs=any'],
  ['DATABASE_URL', 'postgres://me:secret@db.example/shop'],
  ['DATABASE_URL', 'postgres://me:secret@db.example/shop?sslmode=prefer'],
  ['DATABASE_URL', 'postgres://me:secret@db.example/shop?sslmode=require'],
  ['FARTHING_MODE', 'production'],
  ['FARTHING_TYPO', 'x'],
])('refuses %s=%s in a sentence that begins with its name', (name, value) => {
  const sentence = complaint({ [name]: value })
  expect(sentence.startsWith(`${name} `)).toBe(true)
  expect(sentence).not.toContain('\n')
  expect(sentence).not.toContain('secret')
})

it.each([
  'postgres://me:secret@localhost:5433/shop',
  'postgresql://me@127.0.0.1/shop',
  'postgres://me:secret@db.example/shop?sslmode=verify-full&sslrootcert=/etc/ca.pem',
  'postgres://me:secret@db/shop?sslmode=disable',
])('accepts the database %s, and prints no part of it', (DATABASE_URL) => {
  const config = readConfig({ DATABASE_URL })
  expect(config.databaseUrl()).toBe(DATABASE_URL)
  expect(JSON.stringify(config)).not.toMatch(/secret|postgres/)
})

it('accepts trace sampling ratios as programs write small numbers', () => {
  const share = (OTEL_TRACES_SAMPLER_ARG: string) =>
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_SAMPLER_ARG }).tracing?.share
  expect(['0', '1', '.5', '1e-3', '2.5E-4'].map(share)).toEqual([0, 1, 0.5, 0.001, 0.000_25])
})

it('keeps the gas key out of printed configuration', () => {
  const FACILITATOR_PRIVATE_KEY = `0x${'7'.repeat(64)}`
  expect(JSON.stringify(readConfig({ FACILITATOR_PRIVATE_KEY }))).not.toContain('7777')
})

describe('several facilitators', () => {
  const two = { ...live, FACILITATOR_URL: 'https://a.example/x402/, https://b.example' }
  const headers = (env: Record<string, string>) =>
    allFacilitators(readConfig({ ...two, ...env })).map((each) => each.headers)

  it('are tried in the listed order, with our own at any position', () => {
    const urls = (FACILITATOR_URL: string) =>
      allFacilitators(readConfig({ ...live, FACILITATOR_URL, FACILITATOR_PRIVATE_KEY: `0x${'5'.repeat(64)}` })).map(
        ({ is, url }) => `${is} ${url}`,
      )
    expect(urls(two.FACILITATOR_URL)).toEqual(['remote https://a.example/x402', 'remote https://b.example'])
    expect(urls('https://a.example,self')).toEqual(['remote https://a.example', 'self http://127.0.0.1:4323'])
  })

  it('each get only their own headers', () => {
    const key = { Authorization: 'Bearer a' }
    expect(headers({ FACILITATOR_HEADERS: JSON.stringify({ 'https://a.example/x402/': key }) })).toEqual([key, {}])
    const FACILITATOR_HEADERS = JSON.stringify(key)
    expect(complaint({ ...two, FACILITATOR_HEADERS })).toMatch(
      /^FACILITATOR_HEADERS must name the facilitator they are for/,
    )
    const own = { FACILITATOR_PRIVATE_KEY: `0x${'5'.repeat(64)}`, FACILITATOR_HEADERS }
    expect(headers({ ...own, FACILITATOR_URL: 'self,https://b.example' })).toEqual([{}, key])
    expect(headers({ FACILITATOR_HEADERS, FACILITATOR_URL: 'https://b.example,http://127.0.0.1:4323' })).toEqual([
      key,
      {},
    ])
    const stray = JSON.stringify({ 'https://c.example': key })
    expect(complaint({ ...two, FACILITATOR_HEADERS: stray })).toContain('names https://c.example')
  })

  it.each([
    ['the same twice', 'https://a.example,https://a.example/'],
    ['none', ' , '],
    ['one over plain http', 'https://a.example,http://b.example'],
  ])('are refused when the list has %s', (_, FACILITATOR_URL) => {
    expect(complaint({ ...live, FACILITATOR_URL })).toMatch(/^FACILITATOR_URL /)
  })
})

describe('the key of the Coinbase Developer Platform', () => {
  const CDP_API_KEY_SECRET = randomBytes(64).toString('base64')
  const env = { ...live, FACILITATOR_URL: 'https://api.cdp.coinbase.com/platform/v2/x402,https://b.example' }

  it('signs requests to its facilitator only, and is never printed', () => {
    const config = readConfig({ ...env, CDP_API_KEY_ID: 'an-id', CDP_API_KEY_SECRET })
    expect(allFacilitators(config).map(({ isCdp, cdpKey }) => [isCdp, cdpKey?.id])).toEqual([
      [true, 'an-id'],
      [false, undefined],
    ])
    expect(config.facilitator.cdpKey?.secret().asymmetricKeyType).toBe('ed25519')
    expect(JSON.stringify(config)).not.toContain(CDP_API_KEY_SECRET.slice(0, 20))
  })

  it('may be absent, as for a build, but not incomplete; it is ignored when not needed', () => {
    expect(complaint(env)).toBe('')
    expect(complaint({ ...env, CDP_API_KEY_ID: 'an-id' })).toBe('CDP_API_KEY_SECRET must be set when CDP_API_KEY_ID is')
    expect(complaint({ ...env, CDP_API_KEY_SECRET })).toBe('CDP_API_KEY_ID must be set when CDP_API_KEY_SECRET is')
    expect(complaint({ ...live, CDP_API_KEY_ID: 'an-id' })).toBe('')
  })

  it.each([
    'open-sesame',
    CDP_API_KEY_SECRET.slice(4),
    generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
      .privateKey.export({ type: 'sec1', format: 'pem' })
      .toString(),
    '-----BEGIN EC PRIVATE KEY-----\\nsecret\\n-----END EC PRIVATE KEY-----',
  ])('is refused without being shown when it is invalid (%#)', (wrong) => {
    const said = complaint({ ...env, CDP_API_KEY_ID: 'an-id', CDP_API_KEY_SECRET: wrong })
    expect(said).toMatch(/^CDP_API_KEY_SECRET must be an Ed25519 secret/)
    expect(said).not.toContain(wrong)
  })
})

describe('the engines of images and voices', () => {
  it('are the embedded ones by default, and need no key', () => {
    expect(readConfig({}).engines).toEqual({ image: { is: 'embedded' }, voice: { is: 'embedded' } })
  })

  it('may be a provider with its address, its model and a key that is never logged', () => {
    const env = { IMAGE_ENGINE: 'openai', OPENAI_API_KEY: 'sk-secret', OPENAI_BASE_URL: 'http://127.0.0.1:8080/v1/' }
    const { image } = readConfig({ ...env, VOICE_ENGINE: 'minimax', MINIMAX_API_KEY: 'mm-secret' }).engines
    expect(image).toMatchObject({ is: 'openai', baseUrl: 'http://127.0.0.1:8080/v1', model: 'gpt-image-1' })
    expect(image.is === 'openai' && image.key()).toBe('sk-secret')
    expect(JSON.stringify(readConfig(env))).not.toContain('secret')
  })

  it.each([
    [{ IMAGE_ENGINE: 'dalle' }, 'IMAGE_ENGINE must be embedded, minimax or openai'],
    [{ VOICE_ENGINE: 'minimax' }, 'MINIMAX_API_KEY must be set'],
    [{ IMAGE_ENGINE: 'openai' }, 'OPENAI_API_KEY must be set'],
    [{ OPENAI_BASE_URL: 'http://models.example/v1' }, 'OPENAI_BASE_URL must be https unless it is on this machine'],
    [{ MINIMAX_GROUP_ID: 'mine' }, 'MINIMAX_GROUP_ID must be a number'],
  ])('refuse %j with a sentence that names the setting', (env, said) => {
    expect(complaint(env)).toContain(said)
  })
})

describe('the map of test hosts', () => {
  it('maps host names to ports of this machine', () => {
    const { egressTest } = readConfig({ EGRESS_TEST_HOSTS: 'alpha.test=127.0.0.1:18443,b.test=127.0.0.2:1' })
    expect([...egressTest.hosts]).toEqual([
      ['alpha.test', { address: '127.0.0.1', port: 18_443 }],
      ['b.test', { address: '127.0.0.2', port: 1 }],
    ])
  })

  it.each([
    'alpha.test',
    'alpha.test=10.0.0.1:443',
    'alpha=127.0.0.1:443',
    'alpha.test=127.0.0.1:0',
    ''.padEnd(3, ','),
  ])('does not accept %j', (hosts) => {
    expect(complaint({ EGRESS_TEST_HOSTS: hosts })).toContain('EGRESS_TEST_HOSTS must be a list like')
  })

  it('is refused with real money', () => {
    const said = complaint({ ...live, EGRESS_TEST_HOSTS: 'alpha.test=127.0.0.1:18443', EGRESS_TEST_CA: 'ca.pem' })
    expect(said).toContain('EGRESS_TEST_HOSTS is for the sandbox')
    expect(said).toContain('EGRESS_TEST_CA is for the sandbox')
  })
})

it('runs background work at low priority, unless configured otherwise', () => {
  const niceness = (env: Record<string, string>) => readConfig(env).niceness(19)
  expect([niceness({}), niceness({ WORKER_PRIORITY: 'usual' })]).toEqual([19, 0])
})

describe('the storage', () => {
  const keys = { STORAGE_ACCESS_KEY_ID: 'AKIAKEY', STORAGE_SECRET_ACCESS_KEY: 'of-the-storage' }
  const place = 's3://bucket/a/b?endpoint=https://s3.example/&region=eu-central-1'

  it('is off by default, whatever AWS settings of other programs say', () => {
    const config = readConfig({ AWS_ACCESS_KEY_ID: 'other', AWS_SESSION_TOKEN: 'x', AWS_REGION: '?' })
    expect([config.storage, config.storesBackups]).toEqual([undefined, false])
  })

  it('has a bucket, a prefix and an endpoint, with keys that are never printed', () => {
    const config = readConfig({ STORAGE_URL: place, ...keys })
    expect(config.storage).toMatchObject({
      bucket: 'bucket',
      prefix: 'a/b/',
      endpoint: 'https://s3.example',
      region: 'eu-central-1',
      isPathStyle: true,
    })
    expect(config.storage?.keys()).toEqual({ accessKeyId: 'AKIAKEY', secretAccessKey: 'of-the-storage' })
    expect(JSON.stringify(config) + inspect(config, { depth: 9 })).not.toMatch(/AKIAKEY|of-the-storage/)
    expect(config.storesBackups).toBe(true)
    expect(readConfig({ STORAGE_URL: place, ...keys, BACKUP_DIR: '/mnt/b' }).storesBackups).toBe(false)
  })

  it('is Amazon S3 without an endpoint, and may be on this machine or in a neighbouring container', () => {
    const ofAws = { AWS_ACCESS_KEY_ID: 'AKIAKEY', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-north-1' }
    expect(readConfig({ STORAGE_URL: 's3://bucket', ...ofAws }).storage).toMatchObject({
      endpoint: 'https://s3.eu-north-1.amazonaws.com',
      prefix: '',
      isPathStyle: false,
    })
    for (const near of ['http://127.0.0.1:9000', 'http://localhost:9000', 'http://minio:9000'])
      expect(readConfig({ STORAGE_URL: `s3://bucket?endpoint=${near}`, ...keys }).storage?.endpoint).toBe(near)
    expect(readConfig({ STORAGE_URL: `${place}&path-style=0`, ...keys }).storage?.isPathStyle).toBe(false)
  })

  it.each([
    ['https://s3.example/bucket', 'must be an address like s3://'],
    ['bucket', 'must be an address like s3://'],
    ['s3://Bucket?region=x', 'must name a bucket'],
    ['s3://ab?region=x', 'must name a bucket'],
    ['s3://bucket/a%20b?region=x', 'must have a prefix'],
    ['s3://AKIAKEY:of-the-storage@bucket', 'must not carry keys'],
    ['s3://bucket?endpont=https://s3.example', 'takes endpoint, region, path-style'],
    ['s3://bucket?region=x&region=y', 'each once'],
    ['s3://bucket?region=EU', 'must have a region'],
    ['s3://bucket?region=x&path-style=yes', 'must have path-style 0 or 1'],
    ['s3://bucket?endpoint=s3.example', 'must have an endpoint like'],
    ['s3://bucket?endpoint=http://s3.example', 'must have an https endpoint'],
    ['s3://bucket?endpoint=https://AKIAKEY:of-the-storage@s3.example', 'must not carry a user name'],
    ['s3://bucket', 'must have a region'],
  ])('%s is refused in one sentence that shows no key', (url, saying) => {
    const said = complaint({ STORAGE_URL: url, ...keys })
    expect(said).toMatch(/^STORAGE_URL [^\n]*$/)
    expect(said).toContain(saying)
    expect(said).not.toMatch(/AKIAKEY|of-the-storage/)
  })

  it('requires an address and both keys, which must be permanent', () => {
    const missing = 'STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY must be set when STORAGE_URL is'
    expect(complaint({ STORAGE_URL: place })).toBe(missing)
    expect(complaint({ STORAGE_URL: place, STORAGE_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' })).toBe(missing)
    expect(complaint(keys)).toMatch(/^STORAGE_URL must be set when/)
    const passing = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'of-the-storage', AWS_SESSION_TOKEN: 'c' }
    expect(complaint({ STORAGE_URL: place, ...passing })).toMatch(/^AWS_SESSION_TOKEN belongs to temporary keys/)
    expect(complaint({ STORAGE_URL: place, ...passing, ...keys })).toBe('')
  })
})
