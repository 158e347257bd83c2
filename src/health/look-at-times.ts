import { ask, openLookingClient } from './ask-chain.ts'

/** Three clocks at one moment, in ms since 1970. */
export interface Times {
  /** This machine's clock. */
  readonly ourMs: number
  /** Timestamp of the newest block that the RPC knows. */
  readonly blockMs: number
  /** The RPC server's clock, from its `Date` header; undefined when it sends none. */
  readonly serverMs: number | undefined
}

/** How long one reading is shared, so that both checks use the same block. */
const keptMs = 2_000

/** Returns a function that reads the clocks; it gives undefined when the RPC does not respond. */
export function makeLookAtTimes(rpcUrl: string): () => Promise<Times | undefined> {
  let kept: { until: number; times: Promise<Times | undefined> } | undefined
  const look = async (): Promise<Times | undefined> => {
    let serverMs: number | undefined
    const client = openLookingClient(rpcUrl, (told) => {
      serverMs = told
    })
    const asked = await ask(() => client.getBlock())
    if (asked.is !== 'answered') return undefined
    return { ourMs: Date.now(), blockMs: Number(asked.value.timestamp) * 1000, serverMs }
  }
  return () => {
    // Measured by another clock than the one that is checked.
    const at = performance.now()
    if (!kept || kept.until < at) kept = { until: at + keptMs, times: look() }
    return kept.times
  }
}
