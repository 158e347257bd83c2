import { cpuMicros } from '../cpu-time.ts'
import { fetchPeer } from '../fetch-peer.ts'
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

const whereKeysGo =
  'A fifth of it is the system, which writes a frame to each who sees something, and no single part of ours is more than a seventh. Tried, in turns on a busy machine, 2026-11-26: frames as bytes in place of text 1.04 of the time; head and body of a frame in one piece 1.02; a frame put together as one text in place of a list 0.99 of the time of making it. None of it was kept. Kept, 2026-11-28: light is cast once for each place that a player looks from, parts of a frame are compared without a table of names, and who is near is found by the places of what was done (a frame of a still world 5.3 µs in place of 7.1; of a whole key too little to be seen: 0.86 after, 0.84 and 0.81 before). Copying what is lit from a list for each player instead took as long as casting it anew.'
const profileOfKeys = {
  of: '1,000 players for two rounds, their joins among it, at the server from its sources, by --cpu-prof, on a busy machine, 2026-11-26',
  percent: {
    'writing to sockets': 22,
    'the dungeon and its frames': 21,
    'telling others': 9,
    'building queries (Kysely)': 7,
    SQLite: 7,
    'our sockets': 5,
    ws: 3,
    'garbage collection': 3,
    'the rest': 23,
  },
}

/** The cost of a full game host, and how long a key takes there. */
export const gameLoad: Row = {
  title: 'Dungeon',
  meaning: `${crowd.toLocaleString('en')} players in realms of 16 press ${perSecond} keys a second each, at random times, for ${seconds} seconds a round, over plain WebSockets; the server has one process, the players have one beside it. Ours is the game host's sockets, realms and databases. *Colyseus* (\`@colyseus/core\` and \`@colyseus/ws-transport\`) runs the same dungeon in rooms of 16 in the way its makers recommend: a Schema of everybody and everything, a StateView for each player of what is in sight, newly seen cells as messages; it keeps no log. Its answers wait for the next patch (50 ms) and have no number, so only keys and cost are compared. Five rounds.`,
  measures: [
    { name: waited, unit: 'ms', digits: 1, limit: { is: 'at most', figure: 50 } },
    { name: 'keys', unit: '/s', digits: 0 },
    { name: cost, unit: 'µs', digits: 0 },
  ],
  goals: [{ measure: cost, peer: 'Colyseus', is: 'at most', ratio: 0.8 }],
  causes: [
    {
      measure: waited,
      peer: 'Colyseus',
      because:
        'Nothing is compared here: no answer of Colyseus says which key it is for, so that its player counts a key as answered when it is sent. Later runs show our wait alone.',
    },
    {
      measure: waited,
      because: `Server and players share the cores of one machine: where a key takes longer than a core has for it, keys wait for each other. On a busy machine the slowest hundredth of the answers to 800 players took from 0.15 to 1.2 seconds, by the same program some minutes apart. ${whereKeysGo}`,
      profile: profileOfKeys,
    },
    { measure: cost, because: whereKeysGo, profile: profileOfKeys },
  ],
  mostRounds: 5,
  async start(bench) {
    const ours = await startPeer(bench, new URL('../serve-game.ts', import.meta.url), {
      folder: bench.newFolder(),
      maxPlayers: 20_000,
    })
    const fetched = fetchPeer('colyseus', '@colyseus/ws-transport')
    const url = `${ours.origin.replace('http', 'ws')}/ws`
    const playOurs = makeRounds(bench, ours, (name) => openOurPlayer(url, name))
    if (fetched.is === 'missing') return { ours: playOurs, peers: {}, missing: { Colyseus: fetched.why } }
    const theirs = await startPeer(bench, new URL('../peers/colyseus-game.ts', import.meta.url), {
      folder: fetched.packages,
    })
    const playTheirs = makeRounds(bench, theirs, () => openColyseusPlayer(theirs.origin))
    // Its answers have no number, so waits cannot be measured.
    const withoutWaits = async (): Promise<Sample> => {
      const { [waited]: _, ...sample } = await playTheirs()
      return sample
    }
    return { ours: playOurs, peers: { Colyseus: withoutWaits } }
  },
}

/** Each round has its own players, who leave at its end, so that contenders do not pay for each other's players. */
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
