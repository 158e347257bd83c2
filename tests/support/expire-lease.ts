import { openTestLedger } from './test-databases.ts'

/** Lets the lease of an unfinished purchase expire at once. */
export const expireLease = (dataDir: string, nonce: string): Promise<void> => setLease(dataDir, nonce, 1)

/** Makes the lease of an unfinished purchase longer than any test. */
export const prolongLease = (dataDir: string, nonce: string): Promise<void> =>
  setLease(dataDir, nonce, Date.now() + 60 * 60 * 1000)

async function setLease(dataDir: string, nonce: string, lease_until: number): Promise<void> {
  const db = await openTestLedger(dataDir)
  const unfinished = db.updateTable('payment').set({ lease_until }).where('nonce', '=', nonce)
  await unfinished.where('state', '<>', 'settled').execute()
  await db.destroy()
}
