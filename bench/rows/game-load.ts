import { cpuMicros } from '../cpu-time.ts'
import { fetchColyseus } from '../fetch-colyseus.ts'
import { type GamePlayer, gatherPlayers, openOurPlayer, playTogether } from '../game-players.ts'
import { openColyseusPlayer } from '../peers/colyseus-player.ts'
import type { Bench, Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { startPeer } from '../start-peer.ts'

const crowd = 1500
const perSecond = 3
const seconds = 5
const waited = 'answer to a key, p99'
const cost = 'server CPU per key'

/** What a full house costs, and how long a key takes in it. */
export const gameLoad: Row = {
  title: 'Dungeon',
  meaning: `${crowd.toLocaleString('en')} players in realms of 16 press ${perSecond} keys a second each, at random times, for ${seconds} seconds a round, over plain WebSockets; the server has one process, the players have one beside it. Ours is the game host's sockets, realms and databases. *Colyseus* (\`@colyseus/core\` and \`@colyseus/ws-transport\`) runs the same dungeon in rooms of 16 in the way its makers recommend: a Schema of everybody and everything, a StateView for each player of what is in sight, newly seen cells as messages; it keeps no log. Its answers wait for the next patch (50 ms), so only the cost is compared. Five rounds.`,
  measures: [
    { name: waited, unit: 'ms', digits: 1, limit: { is: 'at most', figure: 50 } },
    { name: 'keys', unit: '/s', digits: 0 },
    { name: cost, unit: 'µs', digits: 0 },
  ],
  goals: [{ measure: cost, peer: 'Colyseus', is: 'at most', ratio: 0.8 }],
  mostRounds: 5,
  async start(bench) {
    const ours = await startPeer(bench, new URL('../serve-game.ts', import.meta.url), {
      folder: bench.newFolder(),
      maxPlayers: 20_000,
    })
    const theirs = await startPeer(bench, new URL('../peers/colyseus-game.ts', import.meta.url), {
      folder: fetchColyseus(),
    })
    const url = `${ours.origin.replace('http', 'ws')}/ws`
    return {
      ours: makeRounds(bench, ours, (name) => openOurPlayer(url, name)),
      peers: { Colyseus: makeRounds(bench, theirs, () => openColyseusPlayer(theirs.origin)) },
    }
  },
}

/** Every round has its own crowd, which leaves when it is over, so that contenders do not pay for each other's. */
function makeRounds({ started }: Bench, server: Server, open: (name: string) => Promise<GamePlayer>) {
  let round = 0
  return async (): Promise<Sample> => {
    round++
    const players = await gatherPlayers(crowd, (name) => open(`${name}r${round}`))
    started.defer(() => leave(players))
    await playTogether(players, { perSecond, seconds: 1 })
    const before = cpuMicros(server.pid)
    const waits = await playTogether(players, { perSecond, seconds })
    const spent = cpuMicros(server.pid) - before
    leave(players)
    await new Promise((resolve) => setTimeout(resolve, 500))
    return {
      [waited]: waits[Math.floor(waits.length * 0.99)] ?? Number.NaN,
      keys: waits.length / seconds,
      [cost]: spent / waits.length,
    }
  }
}

function leave(players: readonly GamePlayer[]): void {
  for (const player of players) player.close()
}
