import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../../tests/support/postgres-server.ts'
import { cpuMicros } from '../cpu-time.ts'
import { gatherPlayers, openOurPlayer, playTogether } from '../game-players.ts'
import type { Bench, Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { startPeer } from '../start-peer.ts'

const crowd = 10_000
const hosts = 2
/** Keys per second and player: a person or a model thinks for five seconds. */
const perSecond = 0.2
const seconds = 10
const waited = 'answer to a key, p99'
const cost = 'CPU of the hosts per key'
const databaseCost = 'CPU of PostgreSQL per key'
const memory = `memory of a host with ${(crowd / hosts).toLocaleString('en')} players`

/** What several game hosts on one database bear, where no key is answered before it is written. */
export const gameHosts: Row = {
  title: 'Dungeon, several hosts',
  meaning: `${crowd.toLocaleString('en')} players, in realms of 16 at ${hosts} game hosts on one PostgreSQL, press a key every ${1 / perSecond} seconds each, at random times, for ${seconds} seconds a round; players, hosts and database are on one machine, the database's files in memory where there is room. A key is answered when it is written. Three rounds.`,
  measures: [
    { name: waited, unit: 'ms', digits: 0 },
    { name: 'keys', unit: '/s', digits: 0 },
    { name: cost, unit: 'µs', digits: 0 },
    { name: databaseCost, unit: 'µs', digits: 0 },
    { name: memory, unit: 'MB', digits: 0 },
  ],
  goals: [],
  mostRounds: 3,
  async start(bench) {
    const database = await startPostgres()
    bench.started.defer(database.remove)
    const servers = await startHosts(bench, database)
    const urls = servers.map(({ origin }) => `${origin.replace('http', 'ws')}/ws`)
    const players = await gatherPlayers(crowd, (name) => openOurPlayer(urls[Number(name.slice(1)) % hosts] ?? '', name))
    bench.started.defer(() => {
      for (const player of players) player.close()
    })
    const spentBy = () => [sum(servers.map(({ pid }) => cpuMicros(pid))), databaseMicros(database)] as const
    return {
      async ours(): Promise<Sample> {
        await playTogether(players, { perSecond, seconds: 1 })
        const before = spentBy()
        const waits = await playTogether(players, { perSecond, seconds })
        const after = spentBy()
        return {
          [waited]: waits[Math.floor(waits.length * 0.99)] ?? Number.NaN,
          keys: waits.length / seconds,
          [cost]: (after[0] - before[0]) / waits.length,
          [databaseCost]: (after[1] - before[1]) / waits.length,
          [memory]: Math.max(...servers.map(({ pid }) => residentMb(pid))),
        }
      },
      peers: {},
    }
  },
}

/** Starts the hosts one after another, because the first one makes the tables. */
async function startHosts(bench: Bench, { url }: PostgresServer): Promise<Server[]> {
  const servers: Server[] = []
  while (servers.length < hosts)
    servers.push(
      await startPeer(bench, new URL('../serve-game.ts', import.meta.url), {
        ...{ folder: bench.newFolder(), maxPlayers: crowd, sharedDatabase: url },
      }),
    )
  return servers
}

const sum = (figures: readonly number[]): number => figures.reduce((all, figure) => all + figure, 0)

/** A clock tick in proc(5), in microseconds. */
const tickMicros = 10_000

const statOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}

/**
 * Processor time of all processes of the database in microseconds, including ended ones (proc(5), `stat`): each
 * connection has its own.
 */
function databaseMicros({ data }: PostgresServer): number {
  const first = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  const running = readdirSync('/proc').filter((name) => statOf(Number(name))[1] === String(first))
  const [user, system] = statOf(first).slice(13, 15)
  return sum([first, ...running.map(Number)].map(cpuMicros)) + (Number(user) + Number(system)) * tickMicros
}

function residentMb(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1000
}
