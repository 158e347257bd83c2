import { ask, openLookingClient } from './ask-chain.ts'

/** Three clocks at one moment, in milliseconds. */
export interface Times {
  /** Of this machine. */
  readonly ourMs: number
  /** Of the newest block that the RPC knows. */
  readonly blockMs: number
  /** Of the RPC's server, from its `Date` header; absent when it sends none. */
  readonly serverMs: number | undefined
}

/** Two checks look at the same block. */
const keptMs = 2_000

/** Reads the clocks; undefined when the RPC does not answer. */
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
    // Not by the clock that is looked at.
    const at = performance.now()
    if (!kept || kept.until < at) kept = { until: at + keptMs, times: look() }
    return kept.times
  }
}
