import { type Kysely, SqliteAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { noteDigests } from './note-digests.ts'

/** Applied in order of their names; a migration that has run anywhere is never edited. */
export const ledgerMigrations: Record<string, Migration> = {
  '001_payments_and_sales': {
    async up(db: Kysely<unknown>) {
      const bytes = db.getExecutor().adapter instanceof SqliteAdapter ? 'blob' : 'bytea'
      await db.schema
        .createTable('payment')
        .addColumn('key', 'text', (column) => column.primaryKey().notNull())
        .addColumn('offer_id', 'text', (column) => column.notNull())
        .addColumn('product', 'text', (column) => column.notNull())
        .addColumn('path', 'text', (column) => column.notNull())
        .addColumn('fingerprint', 'text', (column) => column.notNull())
        .addColumn('authorization', 'text', (column) => column.notNull())
        .addColumn('payer', 'text', (column) => column.notNull())
        .addColumn('pay_to', 'text', (column) => column.notNull())
        .addColumn('asset', 'text', (column) => column.notNull())
        .addColumn('network', 'text', (column) => column.notNull())
        .addColumn('nonce', 'text', (column) => column.notNull())
        .addColumn('amount', 'text', (column) => column.notNull())
        .addColumn('valid_before', 'bigint', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('lease_until', 'bigint', (column) => column.notNull())
        .addColumn('fence', 'bigint', (column) => column.notNull())
        .addColumn('token_hash', 'text')
        .addColumn('identifier_hash', 'text', (column) => column.unique())
        .addColumn('mime_type', 'text')
        .addColumn('headers', 'text')
        .addColumn('body', sql.raw(bytes))
        .addColumn('body_file', 'text')
        .addColumn('body_bytes', 'bigint')
        .addColumn('grants', 'text')
        .addColumn('from_block', 'bigint')
        .addColumn('transaction_hash', 'text')
        .addColumn('reason', 'text')
        .addColumn('deliveries', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('settled_at', 'bigint')
        .addCheckConstraint('state_is_known', sql`state in ('working', 'ready', 'settling', 'settled', 'failed')`)
        // Nothing may be settled, or be on its way there, without a stored product (a purged one keeps its size).
        .addCheckConstraint(
          'product_is_stored',
          sql`state not in ('ready', 'settling') or body is not null or body_file is not null`,
        )
        .addCheckConstraint('sale_was_stored', sql`state <> 'settled' or body_bytes is not null`)
        .addCheckConstraint('settled_has_transaction', sql`(state = 'settled') = (transaction_hash is not null)`)
        .execute()
      await db.schema.createIndex('payment_by_state').on('payment').columns(['state', 'lease_until']).execute()
      await db.schema
        .createTable('sale')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('payment_key', 'text', (column) => column.notNull().unique().references('payment.key'))
        .addColumn('offer_id', 'text', (column) => column.notNull())
        .addColumn('product', 'text', (column) => column.notNull())
        .addColumn('path', 'text', (column) => column.notNull())
        .addColumn('amount', 'text', (column) => column.notNull())
        .addColumn('asset', 'text', (column) => column.notNull())
        .addColumn('network', 'text', (column) => column.notNull())
        .addColumn('pay_to', 'text', (column) => column.notNull())
        .addColumn('payer', 'text', (column) => column.notNull())
        .addColumn('transaction_hash', 'text', (column) => column.notNull())
        .addColumn('settled_at', 'bigint', (column) => column.notNull())
        .addColumn('grants', 'text')
        .execute()
      await db.schema
        .createTable('readiness')
        .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema.createIndex('sale_by_time').on('sale').column('settled_at').execute()
    },
  },
  '002_job_runs': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('job_run')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('job', 'text', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('lease_until', 'bigint', (column) => column.notNull())
        .addColumn('fence', 'bigint', (column) => column.notNull())
        .addColumn('started_at', 'bigint', (column) => column.notNull())
        .addColumn('finished_at', 'bigint')
        .addColumn('result', 'text')
        .addColumn('error', 'text')
        .addCheckConstraint('job_state_is_known', sql`state in ('running', 'succeeded', 'failed', 'skipped')`)
        .addCheckConstraint('ended_has_time', sql`(state = 'running') = (finished_at is null)`)
        .addCheckConstraint('failed_says_why', sql`(state = 'failed') = (error is not null)`)
        .execute()
      // At most one run of a job is `running` at a time, over all processes.
      await db.schema
        .createIndex('job_runs_once')
        .unique()
        .on('job_run')
        .column('job')
        .where(sql.ref('state'), '=', sql.lit('running'))
        .execute()
      await db.schema.createIndex('job_run_by_time').on('job_run').columns(['job', 'started_at']).execute()
    },
  },
  '003_players_and_store': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('player')
        .addColumn('key', 'text', (column) => column.primaryKey().notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('token_hash', 'text', (column) => column.unique())
        .addColumn('reserved_until', 'bigint')
        .addColumn('frame', 'text')
        .addColumn('credits', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addCheckConstraint('player_kind_is_known', sql`kind in ('human', 'agent')`)
        .addCheckConstraint('credits_are_never_owed', sql`credits >= 0`)
        .execute()
      await db.schema
        .createTable('entitlement')
        .addColumn('player_key', 'text', (column) => column.notNull().references('player.key'))
        .addColumn('entitlement', 'text', (column) => column.notNull())
        .addColumn('scope', 'text', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('granted_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('held_once', ['player_key', 'entitlement', 'scope'])
        .addCheckConstraint('source_is_known', sql`source in ('purchase', 'credits', 'prize')`)
        .execute()
      await db.schema
        .createTable('credit_entry')
        .addColumn('player_key', 'text', (column) => column.notNull().references('player.key'))
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('ref', 'text', (column) => column.notNull())
        .addColumn('amount', 'integer', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('credited_once', ['player_key', 'reason', 'ref'])
        .execute()
      await db.schema.createIndex('credit_entry_by_time').on('credit_entry').columns(['player_key', 'at']).execute()
      await db.schema
        .createTable('cup')
        .addColumn('number', 'integer', (column) => column.primaryKey().notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('commitment', 'text', (column) => column.notNull())
        .addColumn('seed', 'text', (column) => column.notNull())
        .addColumn('rules', 'integer', (column) => column.notNull())
        .addColumn('opened_at', 'bigint', (column) => column.notNull())
        .addColumn('closes_at', 'bigint', (column) => column.notNull())
        .addColumn('closed_at', 'bigint')
        .addCheckConstraint('cup_state_is_known', sql`state in ('open', 'closed')`)
        .addCheckConstraint('closed_has_time', sql`(state = 'closed') = (closed_at is not null)`)
        .execute()
      await db.schema
        .createIndex('one_cup_is_open')
        .unique()
        .on('cup')
        .column('state')
        .where(sql.ref('state'), '=', sql.lit('open'))
        .execute()
      await db.schema
        .createTable('wall_shout')
        .addColumn('player_key', 'text', (column) => column.notNull().references('player.key'))
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_shout_a_day', ['player_key', 'day'])
        .execute()
      await db.schema.createIndex('wall_shout_by_time').on('wall_shout').column('at').execute()
    },
  },
  '004_cup_runs': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('cup').addColumn('verified_at', 'bigint').execute()
      await db.schema
        .createTable('cup_run')
        .addColumn('cup', 'integer', (column) => column.notNull().references('cup.number'))
        .addColumn('player_key', 'text', (column) => column.notNull().references('player.key'))
        .addColumn('started_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_life_a_cup', ['cup', 'player_key'])
        .execute()
      await db.schema
        .createTable('cup_standing')
        .addColumn('cup', 'integer', (column) => column.notNull().references('cup.number'))
        .addColumn('player_key', 'text', (column) => column.notNull().references('player.key'))
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('realm', 'text', (column) => column.notNull())
        .addColumn('place', 'integer')
        .addColumn('refusal', 'text')
        .addColumn('result', 'text')
        .addColumn('hash', 'text')
        .addColumn('checkpoints', 'text')
        .addColumn('commands', 'integer', (column) => column.notNull())
        .addColumn('finished_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_standing_a_cup', ['cup', 'player_key'])
        .addCheckConstraint('refused_or_placed', sql`(place is null) = (refusal is not null)`)
        .execute()
      await db.schema.createIndex('cup_standing_by_realm').on('cup_standing').column('realm').execute()
    },
  },
  '005_jobs': {
    async up(db: Kysely<unknown>) {
      // Earlier runs had no schedule, and several of them may have the same due time.
      await db.schema
        .alterTable('job_run')
        .addColumn('origin', 'text', (column) =>
          column.notNull().defaultTo('hand').check(sql`origin in ('schedule', 'again', 'hand')`),
        )
        .execute()
      // Over all processes, a due time of the schedule is run or skipped once.
      await db.schema
        .createIndex('job_due_once')
        .unique()
        .on('job_run')
        .columns(['job', 'due_at'])
        .where(sql.ref('origin'), '=', sql.lit('schedule'))
        .execute()
      await db.schema.createIndex('job_run_by_fence').on('job_run').columns(['job', 'fence']).execute()
    },
  },
  '006_oauth': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('oauth_record')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('id_hash', 'text', (column) => column.notNull())
        .addColumn('payload', 'text', (column) => column.notNull())
        .addColumn('grant_id', 'text')
        .addColumn('uid', 'text')
        .addColumn('consumed_at', 'bigint')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_record_an_id', ['kind', 'id_hash'])
        .execute()
      await db.schema.createIndex('oauth_record_by_grant').on('oauth_record').column('grant_id').execute()
      await db.schema.createIndex('oauth_record_by_uid').on('oauth_record').columns(['kind', 'uid']).execute()
      await db.schema.createIndex('oauth_record_by_time').on('oauth_record').column('expires_at').execute()
    },
  },
  '007_settlements_are_looked_at_again': {
    async up(db: Kysely<unknown>) {
      // `payload` settles a payment again when the chain has lost its transaction; `caller` asked for the work.
      await db.schema.alterTable('payment').addColumn('payload', 'text').execute()
      await db.schema.alterTable('payment').addColumn('caller', 'text').execute()
      await db.schema.alterTable('payment').addColumn('asked_again_at', 'bigint').execute()
      await db.schema.createIndex('payment_by_payer').on('payment').columns(['payer', 'fingerprint']).execute()
      await db.schema
        .createIndex('payment_unfinished_by_payer')
        .on('payment')
        .column('payer')
        .where(sql.ref('state'), 'in', [sql.lit('working'), sql.lit('ready'), sql.lit('settling')])
        .execute()
      await db.schema.alterTable('sale').addColumn('log_index', 'bigint').execute()
      await db.schema.alterTable('sale').addColumn('block', 'bigint').execute()
      await db.schema.alterTable('sale').addColumn('reversed_at', 'bigint').execute()
      // Earlier sales are at least as old as the upgrade, and their blocks are not known: they count as final.
      await db.schema
        .alterTable('sale')
        .addColumn('finality', 'text', (column) =>
          column.notNull().defaultTo('final').check(sql`finality in ('claimed', 'mined', 'safe', 'final')`),
        )
        .execute()
      // One transfer backs one sale.
      await db.schema
        .createIndex('one_sale_a_transfer')
        .unique()
        .on('sale')
        .columns(['network', 'transaction_hash', 'log_index'])
        .execute()
      await db.schema
        .createIndex('sale_not_final')
        .on('sale')
        .column('settled_at')
        .where(sql.ref('finality'), '<>', sql.lit('final'))
        .execute()
      await db.schema
        .createTable('wallet_proof')
        .addColumn('key', 'text', (column) => column.primaryKey().notNull())
        .addColumn('payment_key', 'text', (column) => column.notNull().references('payment.key'))
        .addColumn('authorization', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema.createIndex('wallet_proof_by_time').on('wallet_proof').column('at').execute()
    },
  },
  '008_oauth_moves_out': {
    async up(db: Kysely<unknown>) {
      // OAuth records, which strangers can cause, are in `oauth.db` from here on; clients are authorized anew.
      await db.schema.dropTable('oauth_record').execute()
    },
  },
  '009_sales_are_counted': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('sale_total')
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('offer_id', 'text', (column) => column.notNull())
        .addColumn('path', 'text', (column) => column.notNull())
        .addColumn('count', 'bigint', (column) => column.notNull())
        .addColumn('micros', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_total_a_day', ['day', 'offer_id', 'path'])
        .execute()
      const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
      const utcDate = isSqlite
        ? sql`date(settled_at / 1000, 'unixepoch')`
        : sql`to_char(to_timestamp(settled_at / 1000) at time zone 'UTC', 'YYYY-MM-DD')`
      // SQLite's `unixepoch` takes seconds. The empty day is the total over all days.
      for (const day of [sql`''`, utcDate])
        await sql`
          insert into sale_total (day, offer_id, path, count, micros)
          select ${day}, offer_id, path, count(*), sum(cast(amount as bigint)) from sale
          where reversed_at is null group by 1, 2, 3
        `.execute(db)
      // Finds the publisher's own purchases, which are subtracted from the totals because they are no activity.
      await db.schema.createIndex('sale_by_payer').on('sale').column('payer').execute()
      await db.schema
        .createIndex('sale_reversed')
        .on('sale')
        .column('settled_at')
        .where(sql.ref('reversed_at'), 'is not', sql.lit(null))
        .execute()
    },
  },
  '010_webhooks': {
    async up(db: Kysely<unknown>) {
      // Says whether webhooks are sent at all, for programs that do not know the receiver's address.
      await db.schema
        .createTable('webhook_receiver')
        .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
        .addColumn('since', 'bigint', (column) => column.notNull())
        .addCheckConstraint('one_receiver', sql`id = 1`)
        .execute()
      await db.schema
        .createTable('webhook_message')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('next_at', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addCheckConstraint('message_state_is_known', sql`state in ('waiting', 'delivered', 'given-up')`)
        .execute()
      await db.schema
        .createIndex('webhook_message_waiting')
        .on('webhook_message')
        .columns(['next_at', 'created_at'])
        .where(sql.ref('state'), '=', sql.lit('waiting'))
        .execute()
      await db.schema.createIndex('webhook_message_by_time').on('webhook_message').column('created_at').execute()
    },
  },
  '011_emails': {
    // Removes nothing but an index, so that a program of the earlier version that still runs beside this one goes on
    // selling.
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('email_receiver')
        .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
        .addColumn('since', 'bigint', (column) => column.notNull())
        .addColumn('events', 'text', (column) => column.notNull())
        .addCheckConstraint('one_email_receiver', sql`id = 1`)
        .execute()
      await db.schema
        .alterTable('webhook_message')
        .addColumn('channel', 'text', (column) => column.notNull().defaultTo('webhook'))
        .execute()
      await db.schema.alterTable('webhook_message').addColumn('batch', 'text').execute()
      await db.schema
        .createIndex('webhook_message_waiting_by_channel')
        .on('webhook_message')
        .columns(['channel', 'next_at', 'created_at'])
        .where(sql.ref('state'), '=', sql.lit('waiting'))
        .execute()
      await db.schema.dropIndex('webhook_message_waiting').execute()
    },
  },
  '012_operating': {
    async up(db: Kysely<unknown>) {
      // One refund per sale, of the whole amount, sent from the operator's own wallet.
      await db.schema
        .createTable('refund')
        .addColumn('sale_id', 'text', (column) => column.primaryKey().notNull().references('sale.id'))
        .addColumn('amount', 'text', (column) => column.notNull())
        .addColumn('asset', 'text', (column) => column.notNull())
        .addColumn('network', 'text', (column) => column.notNull())
        .addColumn('payer', 'text', (column) => column.notNull())
        .addColumn('seen', 'text', (column) => column.notNull())
        .addColumn('transaction_hash', 'text')
        .addColumn('log_index', 'bigint')
        .addColumn('note', 'text')
        .addColumn('refunded_at', 'bigint', (column) => column.notNull())
        .addCheckConstraint('seen_is_known', sql`seen in ('chain', 'hand')`)
        .addCheckConstraint('proven_or_explained', sql`(seen = 'chain' and log_index is not null) or note is not null`)
        .execute()
      // One transfer refunds one sale.
      await db.schema
        .createIndex('one_refund_a_transfer')
        .unique()
        .on('refund')
        .columns(['network', 'transaction_hash', 'log_index'])
        .execute()
      await db.schema.createIndex('refund_by_time').on('refund').column('refunded_at').execute()
      await db.schema
        .createTable('block_entry')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('value', 'text', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('since', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('blocked_once', ['kind', 'value'])
        .addCheckConstraint('block_kind_is_known', sql`kind in ('wallet', 'address')`)
        .execute()
      await db.schema
        .createTable('quote_total')
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('offer_id', 'text', (column) => column.notNull())
        .addColumn('count', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_quote_total_a_day', ['day', 'offer_id'])
        .execute()
    },
  },
  '013_owned_products': {
    async up(db: Kysely<unknown>) {
      // The digest of a sold product is kept longer than its bytes: its buyer is not asked to pay for the same bytes
      // again.
      await db.schema.alterTable('payment').addColumn('digest', 'text').execute()
      await db.schema.alterTable('payment').addColumn('version', 'text').execute()
      await db.schema.alterTable('wallet_proof').addColumn('changed_to', 'text').execute()
      await noteDigests(db)
      await db.schema
        .createTable('used_sign_in')
        .addColumn('id_hash', 'text', (column) => column.primaryKey().notNull())
        .addColumn('until', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('wallet_session')
        .addColumn('id_hash', 'text', (column) => column.primaryKey().notNull())
        .addColumn('wallet', 'text', (column) => column.notNull())
        .addColumn('until', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
  '014_receipts_that_prove': {
    // Only adds, so that a program of the earlier version that still runs beside this one goes on selling.
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('payment').addColumn('body_sha256', 'text').execute()
      await db.schema.alterTable('sale').addColumn('sha256', 'text').execute()
      await db.schema
        .createTable('receipt_key')
        .addColumn('x', 'text', (column) => column.primaryKey().notNull())
        .addColumn('since', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
  '015_other_tokens': {
    // Only adds: all earlier payments are in USDC.
    async up(db: Kysely<unknown>) {
      for (const table of ['payment', 'sale']) await db.schema.alterTable(table).addColumn('units', 'text').execute()
      await db.schema
        .createTable('sale_total_other')
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('offer_id', 'text', (column) => column.notNull())
        .addColumn('path', 'text', (column) => column.notNull())
        .addColumn('network', 'text', (column) => column.notNull())
        .addColumn('asset', 'text', (column) => column.notNull())
        .addColumn('count', 'bigint', (column) => column.notNull())
        .addColumn('units', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_other_total_a_day', ['day', 'offer_id', 'path', 'network', 'asset'])
        .execute()
    },
  },
  '016_hubs': {
    // Only adds, so that a program of the earlier version that still runs beside this one goes on selling.
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('hub_notice')
        .addColumn('hub', 'text', (column) => column.notNull())
        .addColumn('feed', 'text', (column) => column.notNull())
        .addColumn('tag', 'text')
        .addColumn('built_at', 'bigint', (column) => column.notNull())
        .addColumn('failures', 'integer', (column) => column.notNull())
        .addColumn('next_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_notice_a_feed', ['hub', 'feed'])
        .execute()
    },
  },
  '017_webmentions': {
    // Only adds, so that a program of the earlier version that still runs beside this one goes on selling.
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('webmention')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('target', 'text', (column) => column.notNull())
        .addColumn('host', 'text', (column) => column.notNull())
        .addColumn('author', 'text')
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('next_at', 'bigint')
        .addColumn('received_at', 'bigint', (column) => column.notNull())
        .addCheckConstraint('mention_state_is_known', sql`state in ('waiting', 'pending', 'approved', 'refused')`)
        .execute()
      await db.schema.createIndex('webmention_by_state').on('webmention').columns(['state', 'host']).execute()
      await db.schema
        .createIndex('webmention_due')
        .on('webmention')
        .column('next_at')
        .where(sql.ref('next_at'), 'is not', sql.lit(null))
        .execute()
    },
  },
  '018_newsletter': {
    // Only adds, so that a program of the earlier version that still runs beside this one goes on selling.
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('reader')
        .addColumn('email', 'text', (column) => column.primaryKey().notNull())
        .addColumn('id', 'text', (column) => column.notNull().unique())
        .addColumn('confirm_key', 'text', (column) => column.notNull().unique())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('asked_at', 'bigint', (column) => column.notNull())
        .addColumn('asks', 'integer', (column) => column.notNull())
        .addColumn('mail_at', 'bigint')
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('confirmed_at', 'bigint')
        .addCheckConstraint('reader_state_is_known', sql`state in ('asked', 'confirmed')`)
        .addCheckConstraint('confirmed_has_time', sql`(state = 'confirmed') = (confirmed_at is not null)`)
        .execute()
      await db.schema.createIndex('reader_by_state').on('reader').columns(['state', 'asked_at']).execute()
      await db.schema
        .createTable('letter_post')
        .addColumn('slug', 'text', (column) => column.primaryKey().notNull())
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .execute()
      // A reader who leaves is deleted together with their letters, in `readers.ts`.
      await db.schema
        .createTable('letter')
        .addColumn('post', 'text', (column) => column.notNull().references('letter_post.slug'))
        .addColumn('reader', 'text', (column) => column.notNull().references('reader.id'))
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('next_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('one_letter_a_post', ['post', 'reader'])
        .addCheckConstraint('letter_state_is_known', sql`state in ('waiting', 'sending')`)
        .execute()
      await db.schema.createIndex('letter_waiting').on('letter').columns(['state', 'next_at']).execute()
      await db.schema.createIndex('letter_by_reader').on('letter').column('reader').execute()
    },
  },
  '019_sent_input': {
    // Only adds, so that a program of the earlier version that still runs beside this one goes on selling.
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('payment').addColumn('sent', 'text').execute()
      await db.schema
        .createIndex('payment_by_sent')
        .on('payment')
        .columns(['payer', 'sent'])
        .where(sql.ref('sent'), 'is not', sql.lit(null))
        .execute()
    },
  },
}
