import { AsyncLocalStorage } from 'node:async_hooks'
import { BaseError, RpcRequestError, TimeoutError, type Transport } from 'viem'
import { multicall3Address } from '../core/chain-constants.ts'

/** The call `getEthBalance(0)` of Multicall3, which is on every chain: it runs no code of a payer. */
const harmless = { to: multicall3Address, data: `0x4d2301cc${'0'.repeat(64)}` } as const
/** RPC methods that run code of the payer. */
const simulations: readonly unknown[] = ['eth_call', 'eth_estimateGas']

/** Error messages of nodes when the called code failed: it reverted, or ran out of gas or time. */
const executionFailed =
  /revert|out ?of ?gas|gas required exceeds|exceeds (the )?(block )?gas limit|intrinsic gas|invalid ?(fe)? ?opcode|invalid ?jump|stack ?(over|under)flow|stack limit|execution (timeout|aborted)|\bevm error\b|contract creation code storage out of gas/i

interface Operation {
  trouble: unknown
  refusal: string | undefined
  isSent: boolean
}

/** How an operation ended: with a valid result, or with a refusal of this one payment. */
export type Watched<T> = { is: 'answered'; answer: T } | { is: 'refused'; reason: string }

/**
 * Whether a call failed because of the code it ran, according to the node; any other error is a failure of the chain.
 */
export function isExecutionFailure(error: unknown): boolean {
  const answer = error instanceof BaseError ? error.walk((inner) => inner instanceof RpcRequestError) : null
  return answer instanceof RpcRequestError && (answer.code === 3 || executionFailed.test(answer.details))
}

/** Retries once after a connection error, but not after a timeout, which would only be repeated. */
const twiceAtMost = <T>(ask: () => Promise<T>): Promise<T> =>
  ask().catch((error: unknown) => (isExecutionFailure(error) || isTimeout(error) ? Promise.reject(error) : ask()))

const isTimeout = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((inner) => inner instanceof TimeoutError) !== null

/**
 * Distinguishes a refusal by the chain from a chain that does not respond. The x402 facilitator swallows RPC errors and
 * calls the payment invalid, after which a buyer would be told to sign again; that must not happen because of an
 * outage. On the other hand, a failure that a payment causes itself (its wallet reverts, burns gas or never returns;
 * its signature cannot be decoded) refuses only that payment: if it counted as an outage, one invalid signature would
 * stop all sales.
 */
export function watchChain(inner: Transport) {
  const operations = new AsyncLocalStorage<Operation>()

  /** The transport `inner`, which records its failures. */
  const transport: Transport = (parameters) => {
    const { request, ...rest } = inner(parameters)
    const once = { retryCount: 0 }
    const answers = () =>
      request({ method: 'eth_call', params: [harmless, 'latest'] }, once).then(
        () => true,
        () => false,
      )
    const watched: typeof request = async (call, options) => {
      const isSimulation = simulations.includes(call.method)
      try {
        return await (isSimulation ? twiceAtMost(() => request(call, { ...options, ...once })) : request(call, options))
      } catch (error) {
        // If the node still responds to a harmless call, the timeout was caused by the payer's code.
        const isOfPayment = isSimulation && (isExecutionFailure(error) || (isTimeout(error) && (await answers())))
        const operation = operations.getStore()
        if (operation && !isOfPayment) operation.trouble = error
        throw error
      }
    }
    return { ...rest, request: watched }
  }

  /** Runs one operation. A refusal that follows from a call to which the chain did not respond becomes an error. */
  const watch = <T>(work: () => Promise<T>, isRefusal: (result: T) => boolean): Promise<Watched<T>> => {
    const operation: Operation = { trouble: undefined, refusal: undefined, isSent: false }
    const toError = () => new Error('The chain did not answer', { cause: operation.trouble })
    return operations.run(operation, async (): Promise<Watched<T>> => {
      try {
        const answer = await work()
        if (!isRefusal(answer)) return { is: 'answered', answer }
        if (operation.refusal) return { is: 'refused', reason: operation.refusal }
        if (operation.trouble) throw toError()
        return { is: 'answered', answer }
      } catch (error) {
        if (operation.refusal) return { is: 'refused', reason: operation.refusal }
        if (operation.trouble || operation.isSent) throw error
        // Only the library failed, because of this payload, which the sender chose.
        return { is: 'refused', reason: 'invalid_payload' }
      }
    })
  }

  return {
    transport,
    watch,
    /** Records why the payment of the running operation is refused, and returns the error to throw. */
    refuse(reason: string): Error {
      const operation = operations.getStore()
      if (operation) operation.refusal = reason
      return new Error(`refused: ${reason}`)
    },
    /** Records and throws a failure of the chain that occurred in a call shared with other operations. */
    fail(trouble: unknown): never {
      const operation = operations.getStore()
      if (operation) operation.trouble = trouble
      throw trouble
    },
    /** Records that money may move from here on. */
    sent(): void {
      const operation = operations.getStore()
      if (operation) operation.isSent = true
    },
  }
}
