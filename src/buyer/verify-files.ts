import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseJson } from './parse-json.ts'
import { UsageError } from './usage.ts'
import { type Verdict, verifyReceipt } from './verify-receipt.ts'

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch {
    throw new UsageError(`${path} cannot be read`)
  }
}

/**
 * `verify RECEIPT.json KEYS.json [PRODUCT]`: checks files offline.
 *
 * @throws UsageError when a file is missing
 */
export async function verifyFiles(names: readonly string[]): Promise<Verdict> {
  const [receiptFile, keysFile, productFile, ...more] = names
  if (receiptFile === undefined || keysFile === undefined || more.length > 0)
    throw new UsageError('verify needs the files of the receipt and of the keys of the shop; the product may follow')
  const [receipt, keys] = [parseJson(await read(receiptFile)), parseJson(await read(keysFile))]
  const sha256 =
    productFile === undefined
      ? undefined
      : createHash('sha256')
          .update(await read(productFile))
          .digest('hex')
  return verifyReceipt(receipt, keys, sha256)
}
