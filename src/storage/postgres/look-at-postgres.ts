import { makePostgresPool } from './postgres-pool.ts'
import { toPostgresSentence } from './postgres-sentence.ts'
import { toConnection } from './to-connection.ts'

/**
 * Whether a database can be used for the books, without making or changing anything there.
 *
 * @returns why not, in words that hold no password; undefined when it can
 */
export async function lookAtPostgres(url: string): Promise<string | undefined> {
  try {
    const options = { schema: 'ledger', durability: 'full', most: 1, isPatient: false } as const
    const pool = makePostgresPool(toConnection(url), options)
    try {
      const client = await pool.connect()
      client.release()
    } finally {
      await pool.end()
    }
    return undefined
  } catch (cause) {
    return toPostgresSentence(cause)
  }
}
