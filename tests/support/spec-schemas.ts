/**
 * The documents of the published interface as JSON Schemas, written by hand from its tables only, so that the site is
 * not tested against its own schemas.
 */
const object = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
})
const list = (items: object) => ({ type: 'array', items })
const string = { type: 'string' }
const boolean = { type: 'boolean' }
const integer = { type: 'integer' }
const count = { type: 'integer', minimum: 0 }
const uri = { type: 'string', format: 'uri' }
const dateTime = { type: 'string', format: 'date-time' }
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const one = (...values: readonly unknown[]) => ({ enum: values })

const paymentParameters = object({
  scheme: one('exact'),
  network: one('eip155:8453'),
  asset: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
  assetName: one('USDC'),
  payTo: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
  priceUsd: { type: 'number', exclusiveMinimum: 0 },
  priceMicroUsd: { type: 'string', pattern: '^[1-9][0-9]*$' },
})

const entry = (kind: string, more: Record<string, object> = {}, optional: Record<string, object> = {}) =>
  object(
    {
      kind: one(kind),
      slug: string,
      title: string,
      excerpt: string,
      price: { type: 'string', pattern: '^\\$[0-9]+\\.[0-9]{2}\\+?$' },
      previewUrl: uri,
      buyUrl: uri,
      method: one('GET', 'POST'),
      mimeType: string,
      x402: paymentParameters,
      ...more,
    },
    optional,
  )

const catalog = object(
  {
    version: one('1.0'),
    source: uri,
    wallet: string,
    currency: one('USDC'),
    network: one('eip155:8453'),
    facilitator: uri,
    counts: object({ skills: integer, hostedApis: integer, content: integer, total: integer }),
    skills: list(entry('skill', { installUrl: uri, installCommand: { type: 'string', pattern: '^curl .*\\| sh$' } })),
    hostedApis: list(entry('hostedApi', {}, { bodyShape: { type: 'object', additionalProperties: string } })),
    content: list(entry('content')),
    pointers: { type: 'object', additionalProperties: string },
  },
  { description: string },
)

const skillsManifest = object(
  {
    version: string,
    source: uri,
    count,
    currency: one('USDC'),
    network: string,
    payTo: string,
    installPattern: { type: 'string', pattern: ':slug' },
    previewPattern: { type: 'string', pattern: ':slug' },
    items: list(
      object(
        {
          slug: string,
          title: string,
          price: string,
          previewUrl: uri,
          rawUrl: uri,
          installUrl: uri,
          installCommand: string,
          x402: paymentParameters,
        },
        { excerpt: orNull(string), publishedAt: orNull(dateTime) },
      ),
    ),
  },
  { description: string },
)

const statistics = object({
  totalTransactions: count,
  lastSaleAt: orNull(dateTime),
  topResources: list(object({ path: string, count: { type: 'integer', minimum: 1 }, totalCents: integer })),
  last30Days: list(object({ date: { type: 'string', format: 'date' }, count })),
  updatedAt: dateTime,
})

const jobRun = object(
  { cron: string, tier: string, startedAt: dateTime, finishedAt: dateTime, ok: boolean },
  { results: {}, error: string },
)
const cronHealth = object(
  { fresh: boolean, byTier: { type: 'object', additionalProperties: jobRun } },
  { secondsSinceLastRun: integer, cronLastRun: orNull(jobRun) },
)

const searchResult = object({
  query: string,
  total: count,
  results: list(
    object(
      { title: string, url: { type: 'string', format: 'uri-reference' }, collection: one('posts', 'pages') },
      {
        snippet: string,
        hasNarration: boolean,
        narrationDuration: { type: 'string', pattern: '^(?:[0-9]+:)?[0-5]?[0-9]:[0-5][0-9]$' },
      },
    ),
  ),
})

const transcriptHits = object({
  ok: boolean,
  query: string,
  count,
  hits: list(
    object({
      post: object({ slug: string, title: string }),
      text: string,
      start: integer,
      startFormatted: { type: 'string', pattern: '^[0-9]+:[0-5][0-9]$' },
      deepLinkUrl: uri,
      snippet: string,
    }),
  ),
})

const storeCatalog = object({
  name: string,
  policy: one('cosmetics_and_tips_only'),
  pay_to_win: one(false),
  payment: one('x402'),
  network: one('eip155:8453'),
  asset: string,
  configured: boolean,
  revenue: object({
    products: integer,
    configured: boolean,
    payTo: string,
    totalPurchases: integer,
    totalUsd: { type: 'number' },
  }),
  products: list(
    object({
      sku: string,
      name: string,
      description: string,
      priceUsd: { type: 'number' },
      amountAtomic: { type: 'string', pattern: '^[0-9]+$' },
      kind: one('tip', 'cosmetic', 'tournament'),
      grants: list(string),
      creditPrice: orNull(integer),
    }),
  ),
})

/** Additional fields are allowed everywhere; no field may be missing or have another type. */
export const specSchemas = {
  paymentParameters,
  catalog,
  skillsManifest,
  statistics,
  cronHealth,
  searchResult,
  transcriptHits,
  storeCatalog,
}
