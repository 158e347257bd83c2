import { AsyncLocalStorage } from 'node:async_hooks'
import { BaseError, RpcRequestError, TimeoutError, type Transport } from 'viem'
import { multicall3Address } from '../core/chain-constants.ts'

/** `getEthBalance(0)`: nobody's code but a contract's that is on every chain. */
const harmless = { to: multicall3Address, data: `0x4d2301cc${'0'.repeat(64)}` } as const
/** Calls that run code of whoever is paying. */
const simulations: readonly unknown[] = ['eth_call', 'eth_estimateGas']

/** What nodes say when the code that was called failed, whoever wrote it: reverted, ran out of gas or of time. */
const executionFailed =
  /revert|out ?of ?gas|gas required exceeds|exceeds (the )?(block )?gas limit|intrinsic gas|invalid ?(fe)? ?opcode|invalid ?jump|stack ?(over|under)flow|stack limit|execution (timeout|aborted)|\bevm error\b|contract creation code storage out of gas/i

interface Operation {
  trouble: unknown
  refusal: string | undefined
  isSent: boolean
}

/** How an operation ended: with an answer that counts, or because this one payment cannot be handled. */
export type Watched<T> = { is: 'answered'; answer: T } | { is: 'refused'; reason: string }

/** Whether a call failed because of the code it ran, as the node itself says; anything else is the chain's failure. */
export function isExecutionFailure(error: unknown): boolean {
  const answer = error instanceof BaseError ? error.walk((inner) => inner instanceof RpcRequestError) : null
  return answer instanceof RpcRequestError && (answer.code === 3 || executionFailed.test(answer.details))
}

/** Once more after a hiccup of the connection; not after a timeout, which would only be waited for again. */
const twiceAtMost = <T>(ask: () => Promise<T>): Promise<T> =>
  ask().catch((error: unknown) => (isExecutionFailure(error) || isTimeout(error) ? Promise.reject(error) : ask()))

const isTimeout = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((inner) => inner instanceof TimeoutError) !== null

/**
 * Tells "the chain said no" from "the chain did not answer". The x402 facilitator swallows RPC errors and calls the
 * payment invalid, for which a buyer would be told to sign again; no money may be asked for on such grounds. The other
 * way round, what a payment causes by itself (its wallet reverts, burns gas, never returns; its signature cannot be
 * decoded) is a refusal of that payment: if it looked like an outage, one garbage signature would stop all sales.
 */
export function watchChain(inner: Transport) {
  const operations = new AsyncLocalStorage<Operation>()

  /** `inner`, with its failures noted. */
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
        // A node that runs other code, but not this one in time, was kept busy by it.
        const isOfPayment = isSimulation && (isExecutionFailure(error) || (isTimeout(error) && (await answers())))
        const operation = operations.getStore()
        if (operation && !isOfPayment) operation.trouble = error
        throw error
      }
    }
    return { ...rest, request: watched }
  }

  /** Runs one operation; a refusal it reached through a call that the chain did not answer becomes an error. */
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
        // Nothing failed but the library over this payload, which is somebody's to choose.
        return { is: 'refused', reason: 'invalid_payload' }
      }
    })
  }

  return {
    transport,
    watch,
    /** Notes why the payment of the running operation is refused, and makes the error to throw. */
    refuse(reason: string): Error {
      const operation = operations.getStore()
      if (operation) operation.refusal = reason
      return new Error(`refused: ${reason}`)
    },
    /** Notes and throws a failure of the chain that happened while somebody else asked it. */
    fail(trouble: unknown): never {
      const operation = operations.getStore()
      if (operation) operation.trouble = trouble
      throw trouble
    },
    /** Notes that from here on money may move. */
    sent(): void {
      const operation = operations.getStore()
      if (operation) operation.isSent = true
    },
  }
}
