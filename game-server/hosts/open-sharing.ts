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

/** Of a host where somebody plays who may be shown. */
const lively = z.object({ players: z.array(z.unknown()).min(1) })

interface Options {
  readonly db: GameDatabase
  readonly dataDir: string
  readonly secret: string | undefined
  /** The host name that this one listens at. */
  readonly host: string
  /** Where the others reach it, when it knows. */
  readonly hostUrl: string | undefined
  /** Where the sockets are, such as `/ws`. */
  readonly path: string
  readonly report: (error: unknown) => void
}

/** What game hosts of one database need of each other. */
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
    // Of those that do not answer nobody is shown.
    return Promise.any(others.map(lookAt)).catch(() => undefined)
  }

  return {
    hosts,
    peers,
    /** Asks all the others at once; the answers of those that answer. */
    async askOthers(order: HostOrder): Promise<unknown[]> {
      const others = await hosts.others()
      return (await Promise.all(others.map((address) => askOne(address, order)))).flat()
    },
    /** Lets the others know where this one is, as soon as it listens. */
    tellWhere(server: Server): void {
      server.once('listening', () => {
        const address = server.address()
        const port = typeof address === 'object' ? address?.port : undefined
        hosts.listensAt(hostUrl ?? `http://${toReachable(host)}:${port}`).catch(report)
      })
    },
  }
}

/** Where a program is reached that listens at all addresses of its machine: at the first that others can have a way to. */
function toReachable(host: string): string {
  if (!['0.0.0.0', '::', ''].includes(host)) return host.includes(':') ? `[${host}]` : host
  const cards = Object.values(networkInterfaces()).flatMap((card) => card ?? [])
  return cards.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'
}
