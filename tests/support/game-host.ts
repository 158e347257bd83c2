import { once } from 'node:events'
import { createServer } from 'node:http'
import { z } from 'zod'
import { type Hosts, openHosts } from '../../game-server/hosts/hosts.ts'
import { type Moderation, openModeration } from '../../game-server/moderation/moderation.ts'
import type { Death } from '../../game-server/protocol/dungeon.ts'
import type { CupAccess } from '../../game-server/sessions/cup-access.ts'
import { type Game, openGame } from '../../game-server/sessions/game.ts'
import { makeDungeon } from '../../game-server/sessions/make-dungeon.ts'
import { type AddressLimits, makeAddressLimits } from '../../game-server/sockets/address-limits.ts'
import { attachSockets, type Sockets } from '../../game-server/sockets/serve-sockets.ts'
import { type GameDatabase, openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { makeAccounts } from '../../game-server/store/accounts.ts'
import { makeCredits } from '../../game-server/store/credits.ts'
import { makeEntitlements } from '../../game-server/store/entitlements.ts'
import { type LedgerDatabase, openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { openTestGame, openTestLedger } from './test-databases.ts'

/** A game host without its pages: real databases, real accounts, a real server with real sockets. */
export interface RunningGameHost {
  readonly wsUrl: string
  readonly game: Game
  readonly dungeon: ReturnType<typeof makeDungeon>
  readonly sockets: Sockets
  readonly moderation: Moderation
  readonly addresses: AddressLimits
  readonly db: GameDatabase
  readonly ledger: LedgerDatabase
  readonly noted: string[]
  stop(): Promise<void>
}

interface Options {
  /** The folder of the databases; in memory when absent. */
  readonly folder?: string
  /** The URL of a PostgreSQL database for the worlds. */
  readonly gameDatabase?: string
  /** The URL of a PostgreSQL database for everything, which other hosts may share. */
  readonly sharedDatabase?: string
  readonly now?: () => number
  readonly exemptsLoopback?: boolean
  readonly inputLimits?: { readonly perSecond: number; readonly burst: number }
  readonly maxPlayers?: number
  readonly cups?: CupAccess
  /** The other hosts, if it is one of several. */
  readonly hosts?: Hosts
}

const noCups: CupAccess = {
  enter: async () => ({ is: 'closed' }),
  isRevealed: async () => false,
}

/** The origin whose pages may open sockets. */
export const gameOrigin = 'http://game.localhost'

export async function startGameHost(options: Options = {}): Promise<RunningGameHost> {
  const { folder, now = Date.now, exemptsLoopback = true, maxPlayers = 1000, cups = noCups } = options
  const inputLimits = options.inputLimits ?? { perSecond: 20, burst: 40 }
  const { sharedDatabase, gameDatabase = sharedDatabase } = options
  const db = await (gameDatabase === undefined ? openTestGame(folder) : openGameDatabase('', gameDatabase))
  const ledger = await (sharedDatabase === undefined ? openTestLedger(folder) : openLedgerDatabase('', sharedDatabase))
  const noted: string[] = []
  const log = (event: string, fields: object) => void noted.push(`${event} ${JSON.stringify(fields)}`)
  const moderation = await openModeration(db, now)
  const report = (error: unknown) => void noted.push(String(error))
  const ownHosts = sharedDatabase === undefined ? undefined : await openHosts({ db, report })
  const game = await openGame({
    db,
    ledger,
    accounts: makeAccounts({ db: ledger, now }),
    credits: makeCredits({ db: ledger, now }),
    entitlements: makeEntitlements({ db: ledger }),
    cups,
    moderation,
    log,
    now,
    maxPlayers,
    inputLimits,
    hosts: ownHosts ?? options.hosts,
  })
  const addresses = makeAddressLimits({ exemptsLoopback, now })
  const server = createServer()
  const sockets = attachSockets({
    server,
    path: '/ws',
    origins: [gameOrigin],
    game,
    moderation,
    inputLimits,
    addresses,
    addressOf: ({ socket }) => socket.remoteAddress ?? '',
    now,
    log,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    wsUrl: `ws://127.0.0.1:${port}/ws`,
    game,
    dungeon: makeDungeon(game),
    sockets,
    moderation,
    addresses,
    db,
    ledger,
    noted,
    async stop() {
      await sockets.close()
      await game.close()
      await ownHosts?.close()
      server.close()
      server.closeAllConnections()
      await db.destroy()
      await ledger.destroy()
    },
  }
}

/** Plays a session to the death of its player as fast as possible. */
export async function playToDeath(gameHost: RunningGameHost, token: string): Promise<Death> {
  // Two downs, because the first may only walk to the stairs, and the steps after it lead away again.
  const keys = ['o', '>', '>', 'f', 'east', 'west', 'north', 'south', '.']
  for (let presses = 0; presses < 20_000; presses++) {
    const seen = await gameHost.dungeon.act(token, keys[presses % keys.length] ?? '.')
    if (seen.is === 'seen' && seen.death) return seen.death
  }
  throw new Error('this character does not want to die')
}
