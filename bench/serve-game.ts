// The game host's sockets, realms and databases in a separate process. Receives a folder or a database URL, and reports
// its port.
import { z } from 'zod'
import { startGameHost } from '../tests/support/game-host.ts'
import { servePeer } from './peers/serve-peer.ts'

const given = z.object({
  folder: z.string(),
  maxPlayers: z.int(),
  exemptsLoopback: z.boolean().default(true),
  /** URL of a PostgreSQL database that several hosts share. */
  sharedDatabase: z.string().exactOptional(),
})

await servePeer(async (options) => {
  const { wsUrl } = await startGameHost(given.parse(options))
  return Number(new URL(wsUrl).port)
})
