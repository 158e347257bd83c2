import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeAdmitMessages } from '../../game-server/host/admit-messages.ts'
import { makeGameServer } from '../../game-server/host/http/make-game-server.ts'
import { buildBundle } from '../../game-server/mcp/build-bundle.ts'
import { makeMcpRoutes } from '../../game-server/mcp/serve-http.ts'
import type { CupAccess } from '../../game-server/sessions/cup-access.ts'
import { indexFiles } from '../../src/build/index-files.ts'
import { makeRateLimits } from '../../src/http/rate-limits.ts'
import { findFreePort } from '../../src/sandbox/port.ts'
import { type RunningGameHost, startGameHost } from './game-host.ts'
import { noLimits } from './no-limits.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A game with its tools over HTTP, and with the program that plays it from another machine. */
export interface McpGame {
  readonly gameHost: RunningGameHost
  readonly gameUrl: string
  readonly wsUrl: string
  /** Breaks every open socket. */
  cutSockets(): void
  /** Advances the clock of the tools; the dungeon has no clock. */
  passTime(ms: number): void
  stop(): Promise<void>
}

interface Options {
  readonly hasProgram?: boolean
  readonly keysPerSecond?: number
  readonly exemptsLoopback?: boolean
  readonly now?: () => number
  readonly cups?: CupAccess
}

/** Opens a game host without a limit on keys, and with the downloadable program if `hasProgram`. */
export async function startMcpGame({
  hasProgram = false,
  keysPerSecond = 1e6,
  exemptsLoopback = true,
  now = Date.now,
  cups,
}: Options = {}): Promise<McpGame> {
  const gameHost = await startGameHost({
    inputLimits: { perSecond: keysPerSecond, burst: keysPerSecond },
    exemptsLoopback,
    now,
    ...(cups && { cups }),
  })
  const client = await mkdtemp(join(tmpdir(), 'mcp-game-'))
  if (hasProgram) await buildBundle(root, client)
  const port = await findFreePort()
  const gameUrl = `http://localhost:${port}`
  const wire = await openWire(Number(new URL(gameHost.wsUrl).port))
  const wsUrl = `ws://localhost:${wire.port}/ws`
  const config = { baseUrl: 'http://site.test', gameUrl, wsUrl }
  let later = 0
  const server = makeGameServer({
    config,
    routes: () =>
      makeMcpRoutes({
        dungeon: gameHost.dungeon,
        addresses: config,
        admit: makeAdmitMessages({ limits: makeRateLimits({ exemptsLoopback, now }), addresses: gameHost.addresses }),
        baseUrl: config.baseUrl,
        now: () => Date.now() + later,
      }),
    files: { client, manifest: await indexFiles(client, new Map()) },
    notFound: () => new Response('nothing here', { status: 404 }),
    limiter: noLimits,
    addressOf: ({ socket }) => socket.remoteAddress ?? '',
    report: ({ error }) => gameHost.noted.push(error),
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    gameHost,
    gameUrl,
    wsUrl,
    cutSockets: wire.cut,
    passTime(ms) {
      later += ms
    },
    async stop() {
      wire.close()
      server.close()
      server.closeAllConnections()
      await gameHost.stop()
      await rm(client, { recursive: true })
    },
  }
}

/** A connection between players and a port, which can be cut. */
async function openWire(to: number) {
  const port = await findFreePort()
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(into)
      from.on('error', () => into.destroy())
      from.on('close', () => sockets.delete(from))
    }
  })
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port,
    cut,
    close() {
      server.close()
      cut()
    },
  }
}
