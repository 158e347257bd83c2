import { makeReaders } from '../newsletter/readers.ts'
import { toReadersCsv } from '../newsletter/write-readers-csv.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { keepNewFile } from './keep-new-file.ts'

interface Asked {
  readonly db: LedgerDatabase
  readonly words: readonly string[]
  readonly said: { readonly out?: string | undefined }
}

/**
 * `readers`: writes the readers who get new posts by e-mail as CSV, or erases one of them. @throws Error with one
 * sentence
 */
export async function orderReaders({
  db,
  words: [order, email = '', ...more],
  said,
}: Asked): Promise<string | undefined> {
  const readers = makeReaders(db)
  if (order !== undefined) {
    if (order !== 'erase' || email === '' || more.length > 0) throw new Error('write readers or readers erase EMAIL')
    const reader = await readers.find(email.toLowerCase())
    if (!reader) throw new Error(`there is no reader ${email}`)
    await readers.leave(reader.id)
    return `${email} is deleted`
  }
  const csv = toReadersCsv(await readers.list())
  if (said.out === undefined) process.stdout.write(csv)
  else await keepNewFile(said.out, csv)
  return undefined
}
