import { type Kysely, SqliteAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Applied in order of their names; a migration that has run anywhere is never edited. */
export const gameMigrations: Record<string, Migration> = {
  '001_realms_and_lives': {
    async up(db: Kysely<unknown>) {
      const bytes = db.getExecutor().adapter instanceof SqliteAdapter ? 'blob' : 'bytea'
      await db.schema
        .createTable('realm')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('mode', 'text', (column) => column.notNull())
        .addColumn('event', 'text')
        .addColumn('seed', 'text', (column) => column.notNull())
        .addColumn('rules', 'integer', (column) => column.notNull())
        .addColumn('opened_at', 'bigint', (column) => column.notNull())
        .addColumn('closed_at', 'bigint')
        .addColumn('frozen_at', 'bigint')
        .addCheckConstraint('mode_is_known', sql`mode in ('open', 'daily', 'cup')`)
        .addCheckConstraint('event_has_name', sql`(mode = 'open') = (event is null)`)
        .execute()
      await db.schema.createIndex('realm_by_end').on('realm').column('closed_at').execute()
      await db.schema
        .createTable('seat')
        .addColumn('realm', 'text', (column) => column.notNull().references('realm.id'))
        .addColumn('player', 'integer', (column) => column.notNull())
        .addColumn('account', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('joined_at', 'bigint', (column) => column.notNull())
        .addColumn('is_over', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('seat_key', ['realm', 'player'])
        .execute()
      await db.schema.createIndex('seat_by_account').on('seat').columns(['account', 'is_over']).execute()
      await db.schema
        .createTable('input_log')
        .addColumn('realm', 'text', (column) => column.notNull().references('realm.id'))
        .addColumn('first', 'integer', (column) => column.notNull())
        .addColumn('count', 'integer', (column) => column.notNull())
        .addColumn('commands', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('input_log_key', ['realm', 'first'])
        .execute()
      await db.schema
        .createTable('snapshot')
        .addColumn('realm', 'text', (column) => column.primaryKey().notNull().references('realm.id'))
        .addColumn('commands', 'integer', (column) => column.notNull())
        .addColumn('state', sql.raw(bytes), (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('life')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('realm', 'text', (column) => column.notNull().references('realm.id'))
        .addColumn('player', 'integer', (column) => column.notNull())
        .addColumn('account', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('mode', 'text', (column) => column.notNull())
        .addColumn('event', 'text')
        .addColumn('cause', 'text', (column) => column.notNull())
        .addColumn('depth', 'integer', (column) => column.notNull())
        .addColumn('turn', 'integer', (column) => column.notNull())
        .addColumn('gold', 'integer', (column) => column.notNull())
        .addColumn('kills', 'integer', (column) => column.notNull())
        .addColumn('score', 'integer', (column) => column.notNull())
        .addColumn('has_won', 'integer', (column) => column.notNull())
        .addColumn('frame', 'text', (column) => column.notNull())
        .addColumn('credits', 'integer', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('commands', 'integer', (column) => column.notNull())
        .addUniqueConstraint('one_life_per_seat', ['realm', 'player'])
        .execute()
      await db.schema.createIndex('life_by_time').on('life').column('at').execute()
      await db.schema.createIndex('life_by_score').on('life').columns(['kind', 'score']).execute()
      await db.schema
        .createTable('ruling')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('account', 'text', (column) => column.notNull())
        .addColumn('until', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('ruling_key', ['kind', 'account'])
        .addCheckConstraint('ruling_is_known', sql`kind in ('kick', 'mute', 'reserve')`)
        .execute()
      await db.schema
        .createTable('daily')
        .addColumn('day', 'text', (column) => column.primaryKey().notNull())
        .addColumn('seed', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '002_what_lives_earned': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('seat')
        .addColumn('paid_depth', 'integer', (column) => column.notNull().defaultTo(1))
        .execute()
      await db.schema
        .alterTable('seat')
        .addColumn('credits', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  },
  '003_rules_of_the_day': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('daily')
        .addColumn('rules', 'integer', (column) => column.notNull().defaultTo(1))
        .execute()
    },
  },
  '004_several_hosts': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('realm').addColumn('owner', 'text').execute()
      await db.schema
        .alterTable('realm')
        .addColumn('fence', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
      await db.schema
        .createIndex('realm_awake')
        .on('realm')
        .column('owner')
        .where(sql.ref('closed_at'), 'is', null)
        .where(sql.ref('frozen_at'), 'is', null)
        .execute()
      await db.schema
        .createTable('host')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('until', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('claim')
        .addColumn('account', 'text', (column) => column.primaryKey().notNull())
        .addColumn('host', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '005_places_on_boards': {
    async up(db: Kysely<unknown>) {
      await db.schema.dropIndex('life_by_score').execute()
      // Holds all columns that a board sorts and filters by, and the account, so that the index alone finds the lives.
      await db.schema
        .createIndex('life_by_place')
        .on('life')
        .columns(['kind', 'score desc', 'turn', 'at', 'account', 'event', 'mode'])
        .execute()
    },
  },
  '006_unreadable_realms': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('realm').addColumn('unreadable_at', 'bigint').execute()
      await db.schema.alterTable('seat').addColumn('told_at', 'bigint').execute()
      await db.schema
        .createIndex('realm_unreadable')
        .on('realm')
        .column('unreadable_at')
        .where(sql.ref('unreadable_at'), 'is not', null)
        .execute()
    },
  },
  '007_unsettled_lives': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('life').addColumn('unsettled_since', 'bigint').execute()
    },
  },
}
