import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transport } from 'viem'

/** Nodes may lack it; viem asks anyway and then fills the transaction in itself. */
const optionalMethod = 'eth_fillTransaction'

const isRevert = (error: unknown): boolean => /revert/i.test(String(error))

interface ChainWatch {
  /** `inner`, with its failures noted. */
  transport: Transport
  /** Runs one operation; a refusal it reached through a failed call becomes an error. */
  unlessTroubled: <T>(operation: () => Promise<T>, isRefusal: (result: T) => boolean) => Promise<T>
}

/**
 * Tells "the chain said no" from "the chain did not answer". The x402 facilitator swallows RPC errors and calls the
 * payment invalid, for which a buyer would be told to sign again; no money may be asked for on such grounds.
 */
export function watchChain(inner: Transport): ChainWatch {
  const operations = new AsyncLocalStorage<{ trouble: unknown }>()

  const transport: Transport = (parameters) => {
    const { request, ...rest } = inner(parameters)
    const watched: typeof request = async (call, options) => {
      try {
        return await request(call, options)
      } catch (error) {
        const operation = operations.getStore()
        if (operation && call.method !== optionalMethod && !isRevert(error)) operation.trouble = error
        throw error
      }
    }
    return { ...rest, request: watched }
  }

  const unlessTroubled = <T>(work: () => Promise<T>, isRefusal: (result: T) => boolean): Promise<T> => {
    const operation: { trouble: unknown } = { trouble: undefined }
    return operations.run(operation, async () => {
      const result = await work()
      if (isRefusal(result) && operation.trouble)
        throw new Error('The chain did not answer', { cause: operation.trouble })
      return result
    })
  }

  return { transport, unlessTroubled }
}
