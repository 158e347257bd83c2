import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { testBaseUrl } from './running-site.ts'

const messageSchema = z.object({ message: z.string() })
const librarySchema = z.object({
  count: z.number(),
  purchases: z.array(z.object({ receiptId: z.string(), path: z.string(), download: z.string().optional() })),
})

/** Signs in to the library with a key, and reads there what its wallet bought. */
export async function openLibraryOf(privateKey: Hex, fetch: typeof globalThis.fetch) {
  const account = privateKeyToAccount(privateKey)
  const post = (path: string, body: object) =>
    fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: testBaseUrl },
      body: JSON.stringify(body),
    })
  const { message } = messageSchema.parse(
    await (await post('/api/library/message', { address: account.address })).json(),
  )
  const signed = { message, signature: await account.signMessage({ message }) }
  const signedIn = await post('/api/library/sign-in', signed)
  if (!signedIn.ok) throw new Error(`nobody was signed in: ${await signedIn.text()}`)
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const ask = (path: string) => fetch(path, { headers: { cookie } })
  return {
    /** All purchases of the wallet, newest first. */
    list: async () => librarySchema.parse(await (await ask('/api/library.json')).json()).purchases,
    /** The bytes of the newest purchase at a path. */
    async fetchNewest(path: string): Promise<Buffer> {
      const bought = (await this.list()).find((one) => one.path === path)
      if (bought?.download === undefined) throw new Error(`there is nothing of ${path} to be fetched`)
      const answer = await ask(bought.download)
      if (!answer.ok) throw new Error(`${bought.download} answered ${answer.status}`)
      return Buffer.from(await answer.arrayBuffer())
    },
    /** Sends the sign-in message again, wherever `fetch` leads by then. */
    replay: () => post('/api/library/sign-in', signed),
    cookie,
  }
}
