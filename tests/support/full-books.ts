import { join } from 'node:path'
import { type Insertable, type Kysely, sql } from 'kysely'
import type { GameSchema } from '../../game-server/storage/game-schema.ts'
import { openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { type OauthDatabase, openOauthDatabase } from '../../src/oauth/open-oauth-database.ts'
import type { LedgerSchema } from '../../src/storage/ledger-schema.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'

/** Rows of every table: a table of a later version does not compile without rows here. */
type RowsOf<Schema> = { readonly [Name in keyof Schema]: readonly Insertable<Schema[Name]>[] }
type SchemaOf<Database> = Database extends Kysely<infer Schema> ? Schema : never

/** Not exact as a double, but a valid integer in SQLite and in PostgreSQL. */
const huge = 9_007_199_254_740_993n
const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)
/** Texts that engines and languages sort differently, and characters with a special meaning in them. */
const words = [
  '',
  ' ',
  'Z',
  'a',
  'ä',
  'b',
  'é',
  'ﬀ',
  '日',
  '😀',
  'it\'s \\x00 "said"\r\n\t{}',
  'ı',
  '_',
  '-',
  'ab',
  'aB',
]
/** More rows than are copied in one batch. */
const many = Array.from({ length: 1100 }, (_, index) => index)

const payment = (key: string): RowsOf<LedgerSchema>['payment'][number] => ({
  key,
  offer_id: 'o',
  product: 'p',
  path: '/p',
  fingerprint: 'f',
  sent: 's',
  authorization: '{}',
  payer: '0xa',
  pay_to: '0xb',
  asset: '0xc',
  network: 'eip155:8453',
  nonce: key,
  amount: '100000',
  units: '100000000000000000000000000',
  valid_before: Number.MAX_SAFE_INTEGER,
  state: 'settled',
  owner: 'us',
  lease_until: 1,
  fence: 2,
  token_hash: 't',
  identifier_hash: `i ${key}`,
  mime_type: 'text/plain',
  headers: '{"a":"b"}',
  body: everyByte,
  body_file: 'file',
  body_bytes: 256,
  body_sha256: 's',
  digest: 'd',
  version: '1',
  grants: '{}',
  from_block: 3,
  transaction_hash: `0x${key}`,
  reason: 'r',
  deliveries: 4,
  created_at: 5,
  settled_at: 6,
  payload: 'sealed',
  caller: 'c',
  asked_again_at: 7,
})

/** A payment that has no outcome yet, with all optional columns empty. */
const working = (key: string): RowsOf<LedgerSchema>['payment'][number] => {
  const { offer_id, product, path, fingerprint, authorization, payer, pay_to, asset, network, ...rest } = payment(key)
  const { nonce, amount, valid_before, owner, lease_until, fence, deliveries, created_at } = rest
  const known = { key, offer_id, product, path, fingerprint, authorization, payer, pay_to, asset, network }
  return { ...known, nonce, amount, valid_before, owner, lease_until, fence, deliveries, created_at, state: 'working' }
}

const run = {
  id: 'run',
  job: 'j',
  due_at: 1,
  origin: 'hand',
  owner: 'us',
  lease_until: 1,
  fence: 1,
  started_at: 1,
} as const
const player = { kind: 'human', reserved_until: 1, frame: 'f', credits: 3, created_at: 1 } as const
const standing = { cup: 1, name: 'N', kind: 'agent', realm: 'r', commands: 1, finished_at: 1 } as const

const ledger: RowsOf<LedgerSchema> = {
  payment: [...words.map((word) => payment(`k${word}`)), ...many.slice(0, 120).map((at) => working(`n${at}`))],
  sale: words.map((word, at) => ({
    id: `s${word}`,
    payment_key: `k${word}`,
    offer_id: 'o',
    product: 'p',
    path: '/p',
    amount: '100000',
    units: at % 2 === 0 ? '9'.repeat(30) : null,
    asset: '0xc',
    network: 'eip155:8453',
    pay_to: '0xb',
    payer: '0xa',
    transaction_hash: `0x${word}`,
    settled_at: at,
    grants: '{}',
    log_index: at,
    block: 2,
    finality: 'safe',
    reversed_at: 9,
    sha256: 's',
  })),
  sale_total: [{ day: '', offer_id: 'o', path: '/p', count: huge, micros: huge }],
  sale_total_other: [{ day: '', offer_id: 'o', path: '/p', network: 'n', asset: 'a', count: 1n, units: huge }],
  wallet_proof: [{ key: 'w', payment_key: 'k', authorization: '{}', at: 1, changed_to: 'd' }],
  used_sign_in: [{ id_hash: 'h', until: 1 }],
  wallet_session: [{ id_hash: 'h', wallet: '0xa', until: 1 }],
  readiness: [{ id: 1, at: 1 }],
  job_run: [
    { ...run, state: 'running' },
    { ...run, id: 'done', job: 'k', state: 'failed', finished_at: 2, result: '{}', error: 'e' },
  ],
  player: words.map((word) => ({ ...player, key: word, name: word.toUpperCase(), token_hash: `h${word}` })),
  entitlement: [{ player_key: 'a', entitlement: 'e', scope: '', source: 'prize', granted_at: 1 }],
  credit_entry: [{ player_key: 'a', reason: 'r', ref: '1', amount: -2_147_483_648, at: 1 }],
  cup: [
    {
      ...{ number: 1, state: 'closed', commitment: 'c', seed: 's', rules: 1 },
      ...{ opened_at: 1, closes_at: 2, closed_at: 2, verified_at: 3 },
    },
  ],
  cup_run: [{ cup: 1, player_key: 'a', started_at: 1 }],
  cup_standing: [
    { ...standing, player_key: 'a', place: 1, result: '{}', hash: 'h', checkpoints: '[]' },
    { ...standing, player_key: 'b', refusal: 'no' },
  ],
  wall_shout: [{ player_key: 'ä', day: '2026-11-23', text: '😀', at: 1 }],
  webhook_receiver: [{ id: 1, since: 1 }],
  webhook_message: [
    {
      ...{ id: 'm', channel: 'email', batch: 'b', type: 'payment.settled', body: '{}' },
      ...{ state: 'waiting', attempts: 1, next_at: 1, created_at: 1 },
    },
  ],
  email_receiver: [{ id: 1, since: 1, events: '[]' }],
  refund: [
    {
      ...{ sale_id: 's', amount: '100000', asset: '0xc', network: 'n', payer: '0xa', seen: 'chain' },
      ...{ transaction_hash: '0xd', log_index: 1, note: 'n', refunded_at: 1 },
    },
  ],
  block_entry: [{ kind: 'wallet', value: '0xa', reason: 'r', since: 1 }],
  quote_total: many.map((at) => ({ day: `day ${at}`, offer_id: words[at % words.length] ?? '', count: at })),
  receipt_key: [{ x: 'x', since: 1 }],
  webmention: [
    {
      ...{ id: 'i', source: 'https://a.example/', target: '/posts/a', host: 'a.example', author: 'A' },
      ...{ state: 'waiting', attempts: 1, next_at: 2, received_at: 3 },
    },
  ],
  reader: [
    {
      email: 'a@b.example',
      id: 'r',
      confirm_key: 'k',
      state: 'confirmed',
      asked_at: 1,
      asks: 2,
      attempts: 3,
      confirmed_at: 4,
    },
    { email: 'c@d.example', id: 's', confirm_key: 'l', state: 'asked', asked_at: 1, asks: 2, mail_at: 5, attempts: 3 },
  ],
  letter_post: [{ slug: '', seen_at: 1 }],
  letter: [{ post: '', reader: 'r', state: 'waiting', attempts: 1, next_at: 2 }],
  hub_notice: [{ hub: 'https://hub.example/', feed: '/rss.xml', tag: '"t"', built_at: 1, failures: 2, next_at: 3 }],
}

const oauth: RowsOf<SchemaOf<OauthDatabase>> = {
  oauth_record: [
    {
      ...{ kind: 'Client', id_hash: 'h', payload: '{}', grant_id: 'g', uid: 'u' },
      ...{ consumed_at: 1, expires_at: 2, created_at: 3, household: 'h' },
    },
  ],
}

const life = {
  player: 1,
  account: 'a',
  name: 'A',
  kind: 'human',
  mode: 'daily',
  cause: 'c',
  depth: 1,
  turn: 2,
} as const

const game: RowsOf<GameSchema> = {
  realm: [
    {
      id: 'r',
      mode: 'daily',
      event: 'e',
      seed: 's',
      rules: 1,
      opened_at: 1,
      closed_at: 2,
      frozen_at: 3,
      unreadable_at: 5,
      owner: 'h',
      fence: 4,
    },
  ],
  seat: [
    {
      ...{ realm: 'r', player: 1, account: 'a', name: 'A', kind: 'human' },
      ...{ joined_at: 1, is_over: 0, paid_depth: 2, credits: 3, told_at: 4 },
    },
  ],
  input_log: many.map((first) => ({ realm: 'r', first, count: 1, commands: '[]' })),
  snapshot: [{ realm: 'r', commands: 1, state: everyByte.toReversed() }],
  life: [
    {
      ...{ ...life, id: 'l', realm: 'r', event: 'e', gold: 3, kills: 4, score: 5, has_won: 0 },
      ...{ frame: 'f', credits: 6, at: 7, hash: 'h', commands: 8, unsettled_since: 9 },
    },
  ],
  ruling: [{ kind: 'mute', account: 'a', until: 1 }],
  daily: [{ day: '2026-11-23', seed: 's', rules: 1 }],
  host: [{ id: 'h', address: 'http://h', until: 1 }],
  claim: [{ account: 'a', host: 'h' }],
}

async function fill<Schema>(db: Kysely<Schema>, rows: RowsOf<Schema>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // The tables are in an order in which every row finds the rows that it references.
    for (const [name, ofTable] of Object.entries<readonly object[]>(rows))
      for (const row of ofTable) {
        const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
        await sql`insert into ${sql.table(name)} (${columns}) values (${sql.join(Object.values(row))})`.execute(tx)
      }
  })
  await db.destroy()
}

/** Fills the SQLite files of a data folder, so that each column of each table has a value in at least one row. */
export async function makeFullBooks(dataDir: string): Promise<void> {
  await fill(await openLedgerDatabase(join(dataDir, 'ledger.db')), ledger)
  await fill(await openOauthDatabase(join(dataDir, 'oauth.db')), oauth)
  await fill(await openGameDatabase(join(dataDir, 'game.db')), game)
}
