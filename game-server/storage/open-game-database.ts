import type { Kysely } from 'kysely'
import { openDatabase } from '../../src/storage/open-database.ts'
import { gameMigrations } from './game-migrations.ts'
import type { GameSchema } from './game-schema.ts'

export type GameDatabase = Kysely<GameSchema>

/**
 * Opens `game.db`, which only the game host uses and whose last moves a power cut may lose; or the schema `game` of a
 * PostgreSQL database, which several hosts may share and where a committed write is on disk. Payments are kept in the
 * ledger.
 *
 * @throws StorageError when the folder cannot be written, the disk is full or the file is not ours; when the server
 * cannot be used
 */
export const openGameDatabase = (path: string, url?: string): Promise<GameDatabase> =>
  openDatabase(
    path,
    {
      ...{ what: 'game database', schema: 'game', migrations: gameMigrations },
      durability: url === undefined ? 'normal' : 'full',
    },
    url,
  )
