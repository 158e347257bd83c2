import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import WebSocket from 'ws'
import { step } from '../../game-server/core/step.ts'
import { getPlayer, isAlive, makeWorld } from '../../game-server/core/world.ts'
import { gatherPlayers, openOurPlayer, playTogether } from '../game-players.ts'
import type { Bench, Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { startPeer } from '../start-peer.ts'

const honest = 100
const abusers = 200
const idle = 15_000
const descents = 500
const underAbuse = 'answer to a key beside abuse, p99'
const idleMemory = `memory with ${idle.toLocaleString('en')} idle agents`
const entering = 'entering a new level, p99'

/** What the game host withstands: attacks, crowds of idle agents, and players who descend. */
export const gameLimits: Row = {
  title: 'Dungeon, limits',
  meaning: `*Beside abuse*: ${honest} players press 3 keys a second each while ${abusers} others flood the same host with nonsense, oversized frames, pings and joins, read nothing, and come back as soon as they are cut off; five to an address, with the limits that hold on the internet. *Idle agents* have joined and wait; the figure is the resident memory of the whole process. *Entering a new level* is one command of the dungeon alone: the level is made, stocked and looked at, ${descents.toLocaleString('en')} times. Three rounds.`,
  measures: [
    { name: underAbuse, unit: 'ms', digits: 1, limit: { is: 'at most', figure: 100 } },
    { name: idleMemory, unit: 'MB', digits: 0, limit: { is: 'at most', figure: 500 } },
    { name: entering, unit: 'ms', digits: 2, limit: { is: 'at most', figure: 5 } },
  ],
  goals: [],
  causes: [
    {
      measure: underAbuse,
      because:
        'The host and the program that plays and floods it are alone on two cores, and both are busy; up to half of the time of a long turn of the event loop is waiting for a core, and the event loop of the other program is up to 50 ms late itself. The slowest answers are those of the first 250 ms, in which 200 sockets are opened and flood at once. Tried, four rounds at a time in turns, 2026-11-30: telling those who flood five times less of what is wrong, 80 ms in the median in place of 119; closing a socket after 20 refused messages that press no key, where it was 100, 101 ms; an address may open 10 sockets at once, where it was 30, 95 ms; the last two together, 85. Those two are in: in twelve rounds of full length 72 ms in place of 85, and at most 90 in place of 120; half of all answers come within 3 ms in place of 8, and the host takes a fifth less processor time. Telling them less was left out: a client that waits for an answer to each key would get none to most.',
      profile: {
        of: 'four short rounds of the flood before that, the host by --cpu-prof, without its start, 2026-11-30',
        percent: {
          'writing to sockets': 23,
          'streams, events and timers of Node.js': 14,
          'the dungeon': 13,
          'sockets and sessions': 13,
          ws: 9,
          'garbage collection': 6,
          Zod: 5,
          'SQLite and Kysely': 5,
          'the rest': 12,
        },
      },
    },
    {
      measure: entering,
      because:
        'Making a level takes most of it: 0.6 to 1.4 ms in the median by depth on a slow machine. The slowest are those that a process makes first, of which V8 has not compiled the code yet: with the code before the last change the first level and the first two crypts took 8 to 15 ms, and the slowest of depth 2, where nearly all of these are, 2 ms once it was warm. Tried, over the same levels in turns, 2026-11-26: one flood of the water for all bridges, loops in place of closures for statues, dead ends, swimmers and altars, 0.77 of the time; then rooms on one sheet with nothing made for those that fit nowhere, 0.79 to 0.84 at depths 1 to 3; walls, vaults and bridges without lists and closures, 0.67 to 0.89 with that; floods side by side, 0.62 to 0.79 at depths 1 to 10. All of that is in, and a level throws away 57 to 149 KB in place of 356 to 644.',
      profile: {
        of: 'levels of all depths made for six seconds, by --cpu-prof, on a busy machine, 2026-11-26',
        percent: {
          'floods of distances': 13,
          'joining caves': 7,
          'walls for vaults': 6,
          rooms: 6,
          'random numbers (SHA-256)': 5,
          'garbage collection': 4,
          'carving caves': 4,
          'plants and soil': 3,
          'pockets of rock': 3,
          bridges: 3,
          'the rest': 46,
        },
      },
    },
  ],
  mostRounds: 3,
  async start(bench) {
    return {
      async ours(): Promise<Sample> {
        return {
          [underAbuse]: await measureAbuse(bench, await startGame(bench, { exemptsLoopback: false })),
          [idleMemory]: await measureIdle(await startGame(bench)),
          [entering]: measureEntering(),
        }
      },
      peers: {},
    }
  },
}

const startGame = (bench: Bench, options: { exemptsLoopback?: boolean } = {}): Promise<Server> =>
  startPeer(bench, new URL('../serve-game.ts', import.meta.url), {
    folder: bench.newFolder(),
    maxPlayers: 20_000,
    ...options,
  })

/** The address of a client: five share each, as the limits allow. On Linux all of 127.0.0.0/8 is the local machine. */
const addressOf = (network: number, at: number): string => `127.${network}.0.${1 + Math.trunc(at / 5)}`

const toUrl = ({ origin }: Server): string => `${origin.replace('http', 'ws')}/ws`

async function measureAbuse({ seconds }: Bench, server: Server): Promise<number> {
  const url = toUrl(server)
  const players = await gatherPlayers(honest, (name) =>
    openOurPlayer(url, name, { localAddress: addressOf(1, Number(name.slice(1))) }),
  )
  let isOver = false
  const harm = Array.from({ length: abusers }, async (_, at) => {
    while (!isOver) await abuse(url, at, () => isOver)
  })
  const waits = await playTogether(players, { perSecond: 3, seconds: Math.max(3, 5 * seconds) })
  isOver = true
  await Promise.all(harm)
  for (const player of players) player.close()
  return waits[Math.floor(waits.length * 0.99)] ?? Number.NaN
}

/** One attacking socket, until it is cut off. */
function abuse(url: string, at: number, isOver: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, localAddress: addressOf(2, at) })
    const flood = setInterval(() => {
      if (isOver()) socket.terminate()
      if (socket.readyState !== socket.OPEN) return
      switch (at % 5) {
        case 0:
          for (let time = 0; time < 10; time++) socket.send('{"type":"input","key":"o"}')
          break
        case 1:
          for (let time = 0; time < 20; time++) socket.ping()
          break
        case 2:
          socket.send(randomBytes(2000))
          break
        case 3:
          socket.send(JSON.stringify({ type: 'join', name: `harm${at}` }))
          break
        default:
          for (let time = 0; time < 5; time++) socket.send(randomBytes(30).toString('latin1'))
      }
    }, 20)
    socket.on('open', () => {
      if (at % 10 === 0) socket.send(JSON.stringify({ type: 'join', name: `harm${at}`, obs: 'json' }))
      if (at % 4 === 0) socket.pause()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(flood)
      setTimeout(resolve, 50)
    })
  })
}

async function measureIdle(server: Server): Promise<number> {
  const url = toUrl(server)
  const agents = await gatherPlayers(idle, (name) => openOurPlayer(url, name, { obs: 'text' }))
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  const kilobytes = Number(/VmRSS:\s*(\d+)/.exec(status)?.[1])
  for (const agent of agents) agent.close()
  return kilobytes / 1000
}

/** Lets players descend through worlds, and times only the commands that enter a new level. */
function measureEntering(): number {
  const times: number[] = []
  for (let seed = 0; times.length < descents; seed++) {
    const world = makeWorld(`descent ${seed}`)
    step(world, { is: 'join', name: 'Diver', kind: 'agent' }, [])
    const diver = getPlayer(world, 1)
    for (let press = 0; press < 200 && isAlive(diver); press++) {
      const depth = diver.deepest
      const from = performance.now()
      step(world, { is: 'key', player: 1, key: press % 2 === 0 ? '>' : 'o' }, [])
      if (diver.deepest > depth) times.push(performance.now() - from)
    }
  }
  times.sort((one, other) => one - other)
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN
}
