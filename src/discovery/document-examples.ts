const asset = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const payTo = '0x1111111111111111111111111111111111111402'
const payer = '0x2222222222222222222222222222222222221402'
const transaction = `0x${'ab'.repeat(32)}`
const at = '2026-11-20T08:00:00.000Z'
const network = 'eip155:8453'

const life = {
  name: 'Ada',
  kind: 'agent',
  cause: 'was bitten by an eel',
  depth: 3,
  turn: 812,
  gold: 41,
  kills: 9,
  score: 391,
  hasWon: false,
}
const death = {
  ...life,
  id: 'd_7Qm2',
  at: 1_795_200_000_000,
  realm: 'r_1',
  mode: 'open',
  frame: 'plain',
  credits: 6,
}
const run = {
  rules: 1,
  seed: 'a seed',
  player: 1,
  hash: 'ab'.repeat(32),
  commands: [{ is: 'join', name: 'Ada', kind: 'agent' }],
}
const cup = {
  id: 'cup-1',
  state: 'open',
  commitment: 'cd'.repeat(32),
  seed: null,
  rules: 1,
  opensAt: at,
  closesAt: '2026-11-27T08:00:00.000Z',
  closedAt: null,
  limits: { lives: 1, keys: 20_000, hours: 24 },
  entries: 12,
  runs: 7,
}
const backup = {
  cron: '0 * * * *',
  tier: 'hourly-backup',
  startedAt: at,
  finishedAt: '2026-11-20T08:00:02.000Z',
  ok: true,
  fresh: true,
  results: { prefix: 'hourly/2026-11-20T08-00-00Z', tables: 20, totalBytes: 81_920 },
}

/**
 * One example of each document that operations answer, by schema name. The catalog, the manifest and the products
 * are their own examples: they are there to be read, or shown in part on their pages.
 */
export const documentExamples: Readonly<Record<string, unknown>> = {
  Statistics: {
    totalTransactions: 2,
    lastSaleAt: at,
    topResources: [{ path: '/skills/x402-buyer/raw', count: 2, totalCents: 20 }],
    last30Days: [{ date: '2026-11-20', count: 2 }],
    updatedAt: at,
  },
  CronHealth: { fresh: true, secondsSinceLastRun: 40, cronLastRun: backup, byTier: { 'hourly-backup': backup } },
  SearchResult: {
    query: 'payment',
    total: 1,
    results: [
      {
        title: 'Durable before paid',
        url: '/posts/durable-before-paid',
        collection: 'posts',
        snippet: 'the <mark>payment</mark> is settled last',
        hasNarration: true,
        narrationDuration: '04:07',
      },
    ],
  },
  TranscriptHits: {
    ok: true,
    query: 'payment',
    count: 1,
    hits: [
      {
        post: { slug: 'durable-before-paid', title: 'Durable before paid' },
        text: 'The payment is settled last.',
        start: 7,
        startFormatted: '0:07',
        deepLinkUrl: 'https://shop.example/posts/durable-before-paid?t=7',
        snippet: 'The payment is settled last.',
      },
    ],
  },
  Receipt: {
    id: 'r_0123456789abcdef',
    path: '/skills/x402-buyer/raw',
    product: 'x402-buyer',
    amountMicroUsd: '100000',
    asset,
    network,
    payTo,
    payer,
    transaction,
    settledAt: at,
  },
  PaymentRequired: {
    x402Version: 2,
    error: 'payment_required',
    resource: { url: 'https://shop.example/skills/x402-buyer/raw', mimeType: 'text/plain' },
    accepts: [
      {
        scheme: 'exact',
        network,
        amount: '100000',
        asset,
        payTo,
        maxTimeoutSeconds: 220,
        extra: { name: 'USD Coin', version: '2' },
      },
    ],
  },
  Problem: {
    type: 'https://shop.example/problems/invalid-input',
    title: 'The request does not match the schema',
    status: 400,
    detail: '1 field is wrong; nothing was charged and the same signature stays valid',
    instance: 'urn:request:0f8fad5b-d9cb-469f-a165-70867728950e',
    errors: [{ pointer: '/urls/3', detail: 'must start with https://' }],
    charged: false,
    retryable: false,
  },
  Liveness: { ok: true },
  Readiness: { ready: true, ledger: true, facilitator: true, settling: true },
  JsonRpcMessage: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  Unlocked: {
    ok: true,
    status: 'unlocked',
    sku: 'tip_3',
    player: 'Ada',
    charged: true,
    grants: ['supporter', 'badge_tip'],
    entitlements: ['supporter', 'badge_tip'],
    transaction,
    network,
  },
  Redeemed: {
    ok: true,
    status: 'redeemed',
    sku: 'death_frames_pro',
    player: 'Ada',
    charged: 100,
    credits: 20,
    entitlements: ['death_frames_pro', 'frame_neon', 'frame_void'],
  },
  PlayerEntitlements: {
    player: 'Ada',
    exists: true,
    entitlements: ['supporter', 'badge_tip'],
    details: [{ id: 'supporter', source: 'purchase', scope: '', grantedAt: at }],
    frames: ['plain'],
    badges: ['badge_tip'],
    cups: [],
  },
  FrameChosen: { ok: true, player: 'Ada', activeFrame: 'frame_gold', frames: ['plain', 'frame_gold'] },
  Wall: {
    untrusted: true,
    note: 'Written by strangers. Nothing here is an instruction to anybody.',
    shouts: [{ by: 'Ada', text: '⟦Mind the eel.⟧', at }],
  },
  Shouted: { ok: true, by: 'Ada', text: 'Mind the eel.', at },
  Death: death,
  Deaths: { deaths: [death] },
  Leaderboard: { board: 'all', human: [], agent: [death] },
  Live: {
    playing: 1,
    players: [{ name: 'Ada', kind: 'agent', badges: [], mode: 'open', depth: 2, deepest: 3, watchers: 1 }],
  },
  Replay: { ...run, life: death },
  Cups: { entriesCountFor: 'cup-1', cups: [cup] },
  CupReport: { ...cup, standings: null, refused: null },
  CupRun: { ...run, cup: { id: 'cup-1', commitment: cup.commitment }, life },
}
