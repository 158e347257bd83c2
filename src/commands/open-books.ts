import { openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { openOauthDatabase } from '../oauth/open-oauth-database.ts'
import { openLedgerDatabase } from '../storage/open-ledger-database.ts'

/** The functions that open each of our databases. */
export const openBooks = { ledger: openLedgerDatabase, oauth: openOauthDatabase, game: openGameDatabase }
