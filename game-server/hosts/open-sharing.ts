import { hkdfSync } from 'node:crypto'
import type { Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { readSecret } from '../../src/storage/read-secret.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { HostOrder } from './host-order.ts'
import { openHosts } from './hosts.ts'
import { makePeers } from './peers.ts'

/** The answer to `live` of a host that has a player who may be watched. */
const lively = z.object({ players: z.array(z.unknown()).min(1) })

interface Options {
  readonly db: GameDatabase
  readonly dataDir: string
  readonly secret: string | undefined
  /** The host name or address that this host listens at. */
  readonly host: string
  /** The base URL at which the other hosts reach this one, if it is configured. */
  readonly hostUrl: string | undefined
  /** The path of the WebSocket endpoint, such as `/ws`. */
  readonly path: string
  readonly report: (error: unknown) => void
}

/** Opens what several game hosts on one database need: leases, and requests to each other with a shared key. */
export async function openSharing({ db, dataDir, secret, host, hostUrl, path, report }: Options) {
  const shared = secret ?? readSecret(join(dataDir, 'game-hosts.key'))
  const key = Buffer.from(hkdfSync('sha256', shared, '', 'farthing game hosts', 32)).toString('base64url')
  const hosts = await openHosts({ db, report })
  const peers = { ...makePeers({ key, path }), key, findLively }

  async function askOne(address: string, order: HostOrder): Promise<unknown[]> {
    try {
      return [await peers.ask(address, order)]
    } catch (error) {
      report(error)
      return []
    }
  }

  async function findLively(): Promise<string | undefined> {
    const others = await hosts.others()
    const lookAt = async (address: string): Promise<string> => {
      lively.parse(await peers.ask(address, { order: 'live' }))
      return address
    }
    // Hosts that do not answer are left out.
    return Promise.any(others.map(lookAt)).catch(() => undefined)
  }

  return {
    hosts,
    peers,
    /** Sends a request to all other hosts at once; resolves to the answers of those that answer. */
    async askOthers(order: HostOrder): Promise<unknown[]> {
      const others = await hosts.others()
      return (await Promise.all(others.map((address) => askOne(address, order)))).flat()
    },
    /** Publishes the address of this host as soon as the server listens. */
    tellWhere(server: Server): void {
      server.once('listening', () => {
        const address = server.address()
        const port = typeof address === 'object' ? address?.port : undefined
        hosts.listensAt(hostUrl ?? `http://${toReachable(host)}:${port}`).catch(report)
      })
    },
  }
}

/** The host part of this host's URL: the first external IPv4 address when it listens at all addresses. */
function toReachable(host: string): string {
  if (!['0.0.0.0', '::', ''].includes(host)) return host.includes(':') ? `[${host}]` : host
  const cards = Object.values(networkInterfaces()).flatMap((card) => card ?? [])
  return cards.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'
}
