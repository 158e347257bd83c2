import type { ColumnType, Generated } from 'kysely'

/** States of a payment; the machine is drawn in `src/payments/ledger/ledger.ts`. */
export type PaymentState = 'working' | 'ready' | 'settling' | 'settled' | 'failed'

/** One row per signed authorization. Times are integer milliseconds, amounts decimal strings of micro-USD. */
export interface PaymentTable {
  /** `network|asset|payer|nonce`, lower case. */
  key: string
  offer_id: string
  product: string
  /** The concrete path that was bought. */
  path: string
  /** SHA-256 of the offer and its validated input. */
  fingerprint: string
  /** The same of its input as it was sent; null where that was the validated input itself, and of payments of long ago. */
  sent: string | null
  /** The signed authorization without its signature, canonical JSON. */
  authorization: string
  payer: string
  pay_to: string
  asset: string
  network: string
  nonce: string
  amount: string
  /** What is paid in atomic units of another token than USDC; null for USDC, whose units the amount is in. */
  units: ColumnType<string | null, string | null | undefined, never>
  /** Unix seconds; capped at the largest safe integer. */
  valid_before: number
  state: PaymentState
  /** Who holds the lease, from `makeOwner`. */
  owner: string
  lease_until: number
  /** Grows by one with each change of owner; every write names the one it was made under. */
  fence: number
  /** SHA-256 of the redelivery token, null when the buyer echoed none. */
  token_hash: string | null
  /** SHA-256 of payer and payment-identifier, null when the buyer sent none. */
  identifier_hash: string | null
  mime_type: string | null
  headers: string | null
  body: Uint8Array | null
  /** Content-addressed file of a product too large for the row. */
  body_file: string | null
  body_bytes: number | null
  /** SHA-256 of the product, hexadecimal; null where it is finished only on its way out, or was made before this was kept. */
  body_sha256: string | null
  /** SHA-256 of the product's bytes, which outlasts them; null while there are none, and of sales of long ago. */
  digest: string | null
  /** Of a product that has versions: the one that was bought. */
  version: string | null
  /** What the sale grants, as JSON; whichever process finishes the payment grants it. */
  grants: string | null
  /** Where the search for the settling transaction starts. */
  from_block: number | null
  transaction_hash: string | null
  /** Why it failed or was refused, a code of the x402 vocabulary. */
  reason: string | null
  deliveries: number
  created_at: number
  settled_at: number | null
  /** What the facilitator is sent, encrypted, until the settlement is final: it may have to be sent again. */
  payload: string | null
  /** SHA-256 of the address that asked, while nothing is paid; null when nobody told. */
  caller: string | null
  /** When somebody who proved nothing asked for the settled purchase again; null when nobody did. */
  asked_again_at: number | null
}

/** One row per settled sale: receipts and statistics are queries over it. */
export interface SaleTable {
  /** Receipt id. */
  id: string
  payment_key: string
  offer_id: string
  product: string
  path: string
  amount: string
  /** As of its payment. */
  units: ColumnType<string | null, string | null | undefined, never>
  asset: string
  network: string
  pay_to: string
  payer: string
  transaction_hash: string
  settled_at: ColumnType<number, number, never>
  grants: string | null
  /** Of the transfer among the logs of its block; null while only a facilitator has seen it. */
  log_index: number | null
  /** Number of the block that the transfer is in. */
  block: number | null
  /** How sure the transfer is; the machine is drawn in `src/payments/settlement/look-again.ts`. */
  finality: Generated<SaleFinality>
  /** When the chain turned out to have lost the transfer; null while it stands. */
  reversed_at: number | null
  /** Of the product, hexadecimal; null where no bytes are what was sold, or they were not kept count of. */
  sha256: string | null
}

/** The day of what was sold at any time. */
export const allTime = ''
/** Ids of the offers of the game's store, as a pattern for `like`. */
export const storeOffers = 'store/%'

/**
 * How many sales stand, and what they brought in: a row per UTC day, offer and path, and one for all time. Written with
 * each sale, and with each that is taken back.
 */
export interface SaleTotalTable {
  /** UTC date, or `allTime`. */
  day: string
  offer_id: string
  path: string
  count: ColumnType<number, bigint, bigint>
  /** Micro-USD; a number holds nine thousand million dollars exactly. */
  micros: ColumnType<number, bigint, bigint>
}

/** The same for sales in each other token than USDC, which are no part of those totals. */
export interface SaleTotalOtherTable {
  /** UTC date, or `allTime`. */
  day: string
  offer_id: string
  path: string
  network: string
  asset: string
  count: ColumnType<number, bigint, bigint>
  /** Atomic units of the token. */
  units: ColumnType<number, bigint, bigint>
}

/** `claimed`: a facilitator says so. `mined`: our RPC saw it. `safe`, `final`: its block can hardly, cannot be lost. */
export type SaleFinality = 'claimed' | 'mined' | 'safe' | 'final'

/** One row per authorization that was shown to prove a wallet. It is never settled, and fetches one earlier purchase. */
export interface WalletProofTable {
  /** As of a payment. */
  key: string
  /** The purchase that it fetches. */
  payment_key: string
  /** Canonical JSON, as of a payment. */
  authorization: string
  at: number
  /**
   * The digest of what the product is now, where the wallet was told that it has changed since: it was given nothing
   * for this authorization, and may sign anew. Null where the purchase was fetched.
   */
  changed_to: string | null
}

/** One row per message by which a wallet signed in, until it is too old to be shown again. */
export interface UsedSignInTable {
  /** SHA-256 of the wallet and the number in the message. */
  id_hash: string
  until: number
}

/** One row per browser that is signed in with a wallet. */
export interface WalletSessionTable {
  /** SHA-256 of the cookie. */
  id_hash: string
  /** Lower case. */
  wallet: string
  until: number
}

/** States of a run; the machine is drawn in `src/jobs/job-runs.ts`. */
export type JobState = 'running' | 'succeeded' | 'failed' | 'skipped'

/** Why a run began: its time had come, the one before was cut off or failed, or somebody asked for it. */
export type RunOrigin = 'schedule' | 'again' | 'hand'

/** One row per run of a job. Times are integer milliseconds. */
export interface JobRunTable {
  id: string
  job: string
  /** When it should have begun; a run may begin later. A due time of the schedule has one row at most. */
  due_at: number
  origin: RunOrigin
  state: JobState
  /** Who holds the lease, from `makeOwner`. */
  owner: string
  lease_until: number
  /** Grows by one with each run of the job; every write names the one it was made under. */
  fence: number
  started_at: number
  finished_at: number | null
  /** What it did, as JSON; while it runs, what it did so far. */
  result: string | null
  error: string | null
}

/** One row per name in the game; a purchase may create it before anybody plays under it. Times are integer milliseconds. */
export interface PlayerTable {
  /** The name in lower case: names are told apart without it. */
  key: string
  name: string
  kind: 'human' | 'agent'
  /** SHA-256 of the resume token, null for a name that the operator keeps. */
  token_hash: string | null
  /** Until when a bought name waits for its buyer; null once somebody plays under it. */
  reserved_until: number | null
  /** The death frame the player chose; null for the newest one owned. */
  frame: string | null
  /** The sum of the player's credit entries, never negative. */
  credits: Generated<number>
  created_at: number
}

/** What a player holds, for good or for one cup. Nothing in the dungeon reads it. */
export interface EntitlementTable {
  player_key: string
  entitlement: string
  /** `cup-3` for an entry of that cup, empty for what lasts. */
  scope: string
  source: 'purchase' | 'credits' | 'prize'
  granted_at: number
}

/** One row per movement of game credits; the triple of player, reason and reference happens once. */
export interface CreditEntryTable {
  player_key: string
  reason: string
  ref: string
  amount: number
  at: number
}

/** One row per Agent Cup. */
export interface CupTable {
  number: number
  state: 'open' | 'closed'
  /** SHA-256 of the seed, published before anybody plays. */
  commitment: string
  /** 32 random bytes in hexadecimal; secret while the cup is open. */
  seed: string
  /** Version of the dungeon's rules that its runs are played and verified under. */
  rules: number
  opened_at: number
  closes_at: number
  closed_at: number | null
  /** Set once every run was replayed; from then on seed, standings and runs are public. */
  verified_at: number | null
}

/** When a player's run of a cup began; a cup is one life. */
export interface CupRunTable {
  cup: number
  player_key: string
  started_at: number
}

/** What a run of a cup that is over came to, by its replay. */
export interface CupStandingTable {
  cup: number
  player_key: string
  name: string
  kind: 'human' | 'agent'
  /** The world it was lived in, which is in `game.db`. */
  realm: string
  /** From 1; null for a run that was refused. */
  place: number | null
  /** Why its log is not believed. */
  refusal: string | null
  /** The life in figures, as JSON. */
  result: string | null
  hash: string | null
  /** Hashes after every hundredth command, as JSON. */
  checkpoints: string | null
  /** How many commands of the log it is. */
  commands: number
  finished_at: number
}

/** One row per line on the entrance wall. */
export interface WallShoutTable {
  player_key: string
  /** UTC date; one line a day. */
  day: string
  text: string
  at: number
}

/** One row that `/readyz` writes, to know that the ledger takes writes. */
export interface ReadinessTable {
  id: number
  at: number
}

/** One row while the site has somebody to tell; where and with which secret is the site's own. */
export interface WebhookReceiverTable {
  id: 1
  since: number
}

/** One row while the site has somebody to write e-mails to; to whom and by which server is the site's own. */
export interface EmailReceiverTable {
  id: 1
  since: number
  /** JSON: the types that are written of. */
  events: string
}

/** One row per message to the operator by one channel, kept for a while after its end. */
export interface WebhookMessageTable {
  /** `webhook-id`, or what the Message-ID is made of: the same however often it is sent. */
  id: string
  channel: Generated<'webhook' | 'email'>
  /** The message that this one is sent with, once several were gathered: they stay together. */
  batch: string | null
  type: WebhookType
  /** JSON: the bytes of a webhook, or what an e-mail is written from. */
  body: string
  /** `given-up`: it failed for days. */
  state: 'waiting' | 'delivered' | 'given-up'
  attempts: Generated<number>
  /** When it is sent next; while it is being sent, when somebody else may. */
  next_at: number
  created_at: number
}

/** What the operator is told of. */
export type WebhookType = 'payment.settled' | 'payment.doubted' | 'job.failed' | 'gas.low'

/** One row per sale whose money the operator sent back. */
export interface RefundTable {
  /** The receipt of the sale. */
  sale_id: string
  /** Micro-USD that the payer got: what was paid, or more. */
  amount: string
  asset: string
  network: string
  payer: string
  /** `chain`: our RPC saw the transfer. `hand`: only the operator says so, and the note says how. */
  seen: 'chain' | 'hand'
  transaction_hash: string | null
  /** Of the transfer among the logs of its block. */
  log_index: number | null
  note: string | null
  refunded_at: number
}

/** Who may buy nothing: a wallet, or an address as limits count it. */
export interface BlockEntryTable {
  kind: 'wallet' | 'address'
  /** Lower case. */
  value: string
  reason: string
  since: number
}

/** One row per public key that signs receipts, or did. */
export interface ReceiptKeyTable {
  /** As a JWK has it: Ed25519, base64url. */
  x: string
  /** When a program first used it. */
  since: number
}

/** How many prices were told (402), by UTC day and offer. */
export interface QuoteTotalTable {
  day: string
  offer_id: string
  count: number
}

/** One row per hub and feed (WebSub): what the hub was told of last. */
export interface HubNoticeTable {
  hub: string
  /** Path of the feed. */
  feed: string
  /** What its bytes were known by; null while the hub has heard nothing. */
  tag: string | null
  /** When the build was made that they are of. */
  built_at: number
  /** In a row. */
  failures: number
  /** Not before then is a hub asked again that failed. */
  next_at: number
}

/** States of a mention; the machine is drawn in `src/mentions/mention-store.ts`. */
export type MentionState = 'waiting' | 'pending' | 'approved' | 'refused'

/** One row per page of another site that is said to mention a post of ours (Webmention). */
export interface WebmentionTable {
  /** SHA-256 of source and target. */
  id: string
  source: string
  /** Path of the post. */
  target: string
  /** Of the source. */
  host: string
  /** Whose page it says that it is. */
  author: ColumnType<string | null, string | null | undefined, string | null>
  state: MentionState
  /** Without an answer of the page, in a row. */
  attempts: number
  /** When the page is fetched next; null while there is no reason to. */
  next_at: number | null
  received_at: number
}

/** One row per reader of the newsletter; the machine is drawn in `src/newsletter/readers.ts`. */
export interface ReaderTable {
  /** Lower case. */
  email: string
  /** Random: whoever knows it can end the letters. */
  id: string
  /** Random: whoever knows it has read the question whether the address is theirs. */
  confirm_key: string
  state: 'asked' | 'confirmed'
  /** When somebody last asked for letters to this address, and how often. */
  asked_at: number
  asks: number
  /** When the question whether it is theirs is sent; null while it is not to be. */
  mail_at: ColumnType<number | null, number | null | undefined, number | null>
  /** To hand that question in. */
  attempts: number
  confirmed_at: ColumnType<number | null, number | null | undefined, number | null>
}

/** One row per post that readers were told of, or that came before the newsletter; an empty slug for its beginning. */
export interface LetterPostTable {
  slug: string
  seen_at: number
}

/** One row per letter that is to be sent; the machine is drawn in `src/newsletter/letters.ts`. */
export interface LetterTable {
  post: string
  reader: string
  state: 'waiting' | 'sending'
  attempts: number
  next_at: number
}

/** The tables of `ledger.db`. */
export interface LedgerSchema {
  payment: PaymentTable
  sale: SaleTable
  sale_total: SaleTotalTable
  sale_total_other: SaleTotalOtherTable
  wallet_proof: WalletProofTable
  used_sign_in: UsedSignInTable
  wallet_session: WalletSessionTable
  readiness: ReadinessTable
  job_run: JobRunTable
  player: PlayerTable
  entitlement: EntitlementTable
  credit_entry: CreditEntryTable
  cup: CupTable
  cup_run: CupRunTable
  cup_standing: CupStandingTable
  wall_shout: WallShoutTable
  webhook_receiver: WebhookReceiverTable
  webhook_message: WebhookMessageTable
  email_receiver: EmailReceiverTable
  refund: RefundTable
  block_entry: BlockEntryTable
  quote_total: QuoteTotalTable
  receipt_key: ReceiptKeyTable
  hub_notice: HubNoticeTable
  webmention: WebmentionTable
  reader: ReaderTable
  letter_post: LetterPostTable
  letter: LetterTable
}
