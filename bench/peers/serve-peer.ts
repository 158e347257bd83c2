import { once } from 'node:events'

/** The peer's side of `startPeer`: receives the options, listens, reports the port, and ends with its parent. */
export async function servePeer(listen: (options: unknown) => Promise<number>): Promise<void> {
  process.on('disconnect', () => process.exit())
  const [options]: unknown[] = await once(process, 'message')
  process.send?.({ port: await listen(options) })
}
