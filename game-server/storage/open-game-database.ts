import type { Kysely } from 'kysely'
import { openDatabase } from '../../src/storage/open-database.ts'
import { gameMigrations } from './game-migrations.ts'
import type { GameSchema } from './game-schema.ts'

export type GameDatabase = Kysely<GameSchema>

/**
 * Opens `game.db`, the game host's alone, whose last moves a power cut may take; or the game's part of a PostgreSQL
 * database, which several hosts may share, and where what was answered is on the disk. What was paid is in the ledger.
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
