import { once } from 'node:events'

/** The peer's half of `startPeer`: reads the options, listens, tells the port, and ends with its parent. */
export async function servePeer(listen: (options: unknown) => Promise<number>): Promise<void> {
  process.on('disconnect', () => process.exit())
  const [options]: unknown[] = await once(process, 'message')
  process.send?.({ port: await listen(options) })
}
