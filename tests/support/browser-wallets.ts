import type { BrowserContext, Page } from 'playwright'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import type { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'

export type Call = { method: string; params?: readonly unknown[] }
export type Reply = { result: unknown } | { code: number }
/** How a wallet responds to a call. */
export type Answers = (call: Call) => Promise<Reply>

const typedData = z.looseObject({
  domain: z.object({ name: z.string(), version: z.string(), chainId: z.number(), verifyingContract: z.string() }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.string()),
})

/** The typed data that a wallet was asked to sign. */
export const readTypedData = ({ params = [] }: Call) => typedData.parse(JSON.parse(z.string().parse(params[1])))

/** A wallet that signs with a real key, with options for the behaviour of other wallets. */
export function toWallet(
  { address, privateKey }: (typeof sandboxAccounts)['buyer'],
  manners: Readonly<Record<string, Reply>> = {},
): Answers {
  const account = privateKeyToAccount(privateKey)
  return async (call) => {
    const told = manners[call.method]
    if (told) return told
    switch (call.method) {
      case 'eth_requestAccounts':
        return { result: [address] }
      case 'eth_chainId':
        return { result: '0x2105' }
      case 'eth_blockNumber':
        return { result: '0x10' }
      case 'eth_signTypedData_v4': {
        const { types, domain, primaryType, message } = readTypedData(call)
        const { EIP712Domain: _, ...own } = types
        const verifyingContract = z.templateLiteral(['0x', z.string()]).parse(domain.verifyingContract)
        const signable = { types: own, domain: { ...domain, verifyingContract }, primaryType, message }
        return { result: await account.signTypedData(signable) }
      }
      default:
        return { code: -32601 }
    }
  }
}

/** An icon of one pixel, as wallets announce one. */
export const walletIcon = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/**
 * Adds wallets to pages as extensions do: those that announce themselves by name (EIP-6963), and the one named
 * `ethereum` as the older `window.ethereum`.
 */
export async function giveWallets(
  to: Page | BrowserContext,
  wallets: Readonly<Record<string, Answers>>,
  icon = walletIcon,
) {
  await to.exposeFunction('askWallet', (name: string, call: Call) => wallets[name]?.(call))
  await to.addInitScript(
    ({ names, icon }) => {
      const toProvider = (name: string) => ({
        async request(call: unknown): Promise<unknown> {
          const reply = await Reflect.get(window, 'askWallet')(name, call)
          if ('code' in reply) throw Object.assign(new Error('the wallet said no'), reply)
          return reply.result
        },
      })
      for (const name of names) {
        if (name === 'ethereum') Reflect.set(window, 'ethereum', toProvider(name))
        else {
          const detail = Object.freeze({
            info: { uuid: name, name, icon, rdns: 'test.wallet' },
            provider: toProvider(name),
          })
          const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
          window.addEventListener('eip6963:requestProvider', announce)
        }
      }
    },
    { names: Object.keys(wallets), icon },
  )
}
