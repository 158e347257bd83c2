import type { Kysely } from 'kysely'
import { openDatabase } from '../../src/storage/open-database.ts'
import { gameMigrations } from './game-migrations.ts'
import type { GameSchema } from './game-schema.ts'

export type GameDatabase = Kysely<GameSchema>

/**
 * Opens `game.db`, or the game's part of a PostgreSQL database: the game host's alone. A power cut may take its last
 * moves; what was paid is in the ledger.
 *
 * @throws StorageError when the folder cannot be written, the disk is full or the file is not ours; when the server
 * cannot be used
 */
export const openGameDatabase = (path: string, url?: string): Promise<GameDatabase> =>
  openDatabase(path, { what: 'game database', schema: 'game', durability: 'normal', migrations: gameMigrations }, url)
