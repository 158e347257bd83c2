import WebSocket from 'ws'
import { z } from 'zod'

/** Set as `NODE_OPTIONS` of a program whose memory a test measures. */
export const inspected = '--inspect=127.0.0.1:0'

const answerSchema = z.object({ id: z.number(), result: z.unknown().optional(), error: z.unknown().optional() })
const usageSchema = z.object({ usedSize: z.number(), backingStorageSize: z.number().default(0) })

/**
 * The reachable memory of a running program after garbage collection, from its own debugger.
 *
 * @param output what the program has printed, including the address of its debugger
 */
export async function openMemory(output: string) {
  const url = /Debugger listening on (ws:\S+)/.exec(output)?.[1]
  if (!url) throw new Error('the program was not started with the inspector')
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const waiting = new Map<number, (result: unknown) => void>()
  socket.on('message', (data: Buffer) => {
    const message = answerSchema.safeParse(JSON.parse(data.toString()))
    if (message.success) waiting.get(message.data.id)?.(message.data.result)
  })
  let asked = 0
  const ask = (method: string): Promise<unknown> =>
    new Promise((resolve) => {
      const id = ++asked
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method }))
    })
  return {
    async heldBytes(): Promise<number> {
      // Objects released by finalizers become garbage only after the first collection.
      for (let turn = 0; turn < 2; turn++) await ask('HeapProfiler.collectGarbage')
      const { usedSize, backingStorageSize } = usageSchema.parse(await ask('Runtime.getHeapUsage'))
      return usedSize + backingStorageSize
    },
    close: () => socket.terminate(),
  }
}
