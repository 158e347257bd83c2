import { randomBytes } from 'node:crypto'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import type { Ask, Purchase } from './patient-buyer.ts'
import { signPayment } from './signed-payments.ts'

/** Signs for the lowest tip in the game's store. */
export async function signForTip(): Promise<Purchase> {
  const token = randomBytes(18).toString('base64url')
  const { header, nonce } = await signPayment({ amount: 3_000_000n, payTo: sandboxPayTo, token })
  return { path: '/api/store/unlock', header, nonce, delivered: new Set(), deliveries: 0, history: [] }
}

/** Sends the purchase of a tip to the store. */
export const askForTip: Ask = async (port, path, signature) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'payment-signature': signature },
    body: JSON.stringify({ sku: 'tip_3', playerName: 'Donor' }),
  })
  const body = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, header: (name) => response.headers.get(name), body }
}
