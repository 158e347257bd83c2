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
  /**
   * SHA-256 of the offer and its input as sent; null where that is the validated input itself, and for old payments.
   */
  sent: string | null
  /** The signed authorization without its signature, canonical JSON. */
  authorization: string
  payer: string
  pay_to: string
  asset: string
  network: string
  nonce: string
  amount: string
  /** The price in atomic units of a token other than USDC; null for USDC, whose atomic units are those of `amount`. */
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
  /**
   * SHA-256 of the delivered bytes, hexadecimal; null where a token that is never stored is added to them on delivery,
   * and for payments that are older than this column.
   */
  body_sha256: string | null
  /** SHA-256 of the product's bytes, kept longer than they are; null before they are made, and for old sales. */
  digest: string | null
  /** The version that was bought, for a product that has versions. */
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
  /** The encrypted request to the facilitator, kept until the settlement is final: it may have to be sent again. */
  payload: string | null
  /** SHA-256 of the client's address, while nothing is paid; null when the address is not known. */
  caller: string | null
  /** When a client without any proof asked for the settled purchase again; null when none did. */
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
  /** As in its payment. */
  units: ColumnType<string | null, string | null | undefined, never>
  asset: string
  network: string
  pay_to: string
  payer: string
  transaction_hash: string
  settled_at: ColumnType<number, number, never>
  grants: string | null
  /** Index of the transfer's log in its block; null while only a facilitator has seen the transfer. */
  log_index: number | null
  /** Number of the block that the transfer is in. */
  block: number | null
  /** How sure the transfer is; the machine is drawn in `src/payments/settlement/look-again.ts`. */
  finality: Generated<SaleFinality>
  /** When the chain turned out to have lost the transfer; null while it stands. */
  reversed_at: number | null
  /** `body_sha256` of the payment; null where it is null there, or where the sale is not of bytes. */
  sha256: string | null
}

/** The `day` of a total over all time. */
export const allTime = ''
/** Ids of the offers of the game's store, as a pattern for `like`. */
export const storeOffers = 'store/%'

/**
 * Number and revenue of the sales that were not reversed: a row per UTC day, offer and path, and one for all time.
 * Updated with each sale and each reversal.
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

/** The same for sales in tokens other than USDC, which `sale_total` does not count. */
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

/**
 * How sure a transfer is. `claimed`: a facilitator reports it. `mined`: our RPC saw it in a block. `safe`: that block
 * can hardly be reorganized any more. `final`: it cannot.
 */
export type SaleFinality = 'claimed' | 'mined' | 'safe' | 'final'

/** One row per authorization that only proves a wallet: it is never settled, and fetches one earlier purchase. */
export interface WalletProofTable {
  /** As in `payment`. */
  key: string
  /** The purchase that it fetches. */
  payment_key: string
  /** Canonical JSON, as in `payment`. */
  authorization: string
  at: number
  /**
   * Digest of the current product, where the wallet was told that it has changed since the purchase: this authorization
   * delivered nothing, and the wallet may sign a new one. Null where the purchase was delivered.
   */
  changed_to: string | null
}

/** One row per message by which a wallet signed in, kept until the message is too old to be used again. */
export interface UsedSignInTable {
  /** SHA-256 of the wallet and the nonce in the message. */
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

/** Why a run began: it was due, the run before it was cut off or failed, or a person asked for it. */
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

/**
 * One row per name in the game; a purchase may create it before anybody plays under it. Times are integer milliseconds.
 */
export interface PlayerTable {
  /** The name in lower case: names that differ only in case are the same. */
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

/** An entitlement of a player, permanent or for one cup. The dungeon itself does not read it. */
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

/** The result of a run of a closed cup, as computed by replaying its log. */
export interface CupStandingTable {
  cup: number
  player_key: string
  name: string
  kind: 'human' | 'agent'
  /** The world in which it was played, which is stored in `game.db`. */
  realm: string
  /** From 1; null for a run that was refused. */
  place: number | null
  /** Why its log was rejected; null for a run that has a place. */
  refusal: string | null
  /** The figures of the run, as JSON. */
  result: string | null
  hash: string | null
  /** Hashes after every hundredth command, as JSON. */
  checkpoints: string | null
  /** Number of commands in its log. */
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

/** One row while the site has a webhook receiver. Its address and secret are known to the site only. */
export interface WebhookReceiverTable {
  id: 1
  since: number
}

/** One row while the site sends e-mails to the operator. The address and the mail server are known to the site only. */
export interface EmailReceiverTable {
  id: 1
  since: number
  /** JSON: the event types that e-mails are sent about. */
  events: string
}

/** One row per message to the operator by one channel, kept for a while after its end. */
export interface WebhookMessageTable {
  /** The header `webhook-id`, or the source of the e-mail's Message-ID: the same at each attempt. */
  id: string
  channel: Generated<'webhook' | 'email'>
  /** Id of the message that this one is sent with, once several are combined; they stay combined. */
  batch: string | null
  type: WebhookType
  /** JSON: the bytes of a webhook, or what an e-mail is written from. */
  body: string
  /** `given-up`: delivery failed for days. */
  state: 'waiting' | 'delivered' | 'given-up'
  attempts: Generated<number>
  /** When it is sent next; while a process sends it, when another process may. */
  next_at: number
  created_at: number
}

/** The events that the operator is notified of. */
export type WebhookType = 'payment.settled' | 'payment.doubted' | 'job.failed' | 'gas.low'

/** One row per sale whose money the operator sent back. */
export interface RefundTable {
  /** The receipt of the sale. */
  sale_id: string
  /** Atomic units of the asset (micro-USD for USDC) that the payer got: what was paid, or more. */
  amount: string
  asset: string
  network: string
  payer: string
  /** `chain`: our RPC saw the transfer. `hand`: only the operator says so, and the note says how. */
  seen: 'chain' | 'hand'
  transaction_hash: string | null
  /** Index of the transfer's log in its block. */
  log_index: number | null
  note: string | null
  refunded_at: number
}

/** A blocked buyer: a wallet, or a client address in the form in which rate limits count it. */
export interface BlockEntryTable {
  kind: 'wallet' | 'address'
  /** Lower case. */
  value: string
  reason: string
  since: number
}

/** One row per public key of a key pair that signs, or once signed, receipts. */
export interface ReceiptKeyTable {
  /** The `x` of its JWK: Ed25519, base64url. */
  x: string
  /** When a program first used it. */
  since: number
}

/** Number of responses with a price (402), by UTC day and offer. */
export interface QuoteTotalTable {
  day: string
  offer_id: string
  count: number
}

/** One row per hub and feed (WebSub): the version of the feed that the hub was last notified of. */
export interface HubNoticeTable {
  hub: string
  /** Path of the feed. */
  feed: string
  /** The tag of that version's bytes; null while the hub was not notified yet. */
  tag: string | null
  /** When the build was made that this version is from. */
  built_at: number
  /** Consecutive failures. */
  failures: number
  /** After a failure: the time before which the hub is not notified again. */
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
  /** Host of the source. */
  host: string
  /** The author that the page names. */
  author: ColumnType<string | null, string | null | undefined, string | null>
  state: MentionState
  /** Consecutive fetches without a response from the page. */
  attempts: number
  /** When the page is fetched next; null while there is no reason to. */
  next_at: number | null
  received_at: number
}

/** One row per reader of the newsletter; the machine is drawn in `src/newsletter/readers.ts`. */
export interface ReaderTable {
  /** Lower case. */
  email: string
  /** Random: anyone who knows it can unsubscribe. */
  id: string
  /** Random: anyone who knows it has read the confirmation e-mail. */
  confirm_key: string
  state: 'asked' | 'confirmed'
  /** When somebody last subscribed this address, and how often (`asks`). */
  asked_at: number
  asks: number
  /** When the confirmation e-mail is sent; null while none is to be sent. */
  mail_at: ColumnType<number | null, number | null | undefined, number | null>
  /** Attempts to hand that e-mail to the mail server. */
  attempts: number
  confirmed_at: ColumnType<number | null, number | null | undefined, number | null>
}

/**
 * One row per post that readers were notified of, or that is older than the newsletter. The row with the empty slug
 * records when the newsletter began.
 */
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
