import { z } from 'zod'
import type { HostOrder } from '../hosts/host-order.ts'
import type { Game } from '../sessions/game.ts'
import type { Sockets } from '../sockets/serve-sockets.ts'
import { isShown } from '../spectators/spectators.ts'

const maxLive = 100

/** The players at a host, as hosts tell each other. */
export const liveSchema = z.object({
  playing: z.int(),
  players: z.array(z.looseObject({ name: z.string() })),
})
export type Live = z.output<typeof liveSchema>

/** The players at this host, the one who acted last first. */
export function toLive(game: Pick<Game, 'sessions'>, sockets: Pick<Sockets, 'watchersOf'>): Live {
  const playing = [...game.sessions()].filter((session) => session.isHere && !session.isOver)
  const shown = playing.filter(isShown).sort((one, other) => other.lastAt - one.lastAt)
  const players = shown.slice(0, maxLive).map((session) => ({
    name: session.owner.name,
    kind: session.owner.kind,
    badges: session.badges,
    mode: session.realm.mode,
    depth: session.realm.world.players.get(session.player)?.depth ?? 1,
    deepest: session.deepest,
    watchers: sockets.watchersOf(session),
  }))
  return { playing: playing.length, players }
}

/** Merges the players of several hosts, taking one of each in turn, so that each host is represented. */
function joinLive(all: readonly Live[]): Live {
  const longest = Math.max(...all.map(({ players }) => players.length))
  const players = Array.from({ length: longest }, (_, at) => all.flatMap((live) => live.players[at] ?? [])).flat()
  return { playing: all.reduce((sum, { playing }) => sum + playing, 0), players: players.slice(0, maxLive) }
}

interface Hosts {
  readonly game: Pick<Game, 'sessions'>
  readonly sockets: Pick<Sockets, 'watchersOf'>
  /** Sends a request to the other hosts, where several share the database. */
  readonly askOthers?: ((order: HostOrder) => Promise<unknown[]>) | undefined
  readonly report: (error: unknown) => void
}

/**
 * Finds the players at this host and at the others. A host whose answer cannot be read, as one of another version, is
 * reported and left out.
 */
export function makeFindLive({ game, sockets, askOthers, report }: Hosts): () => Promise<Live> {
  function read(answer: unknown): Live[] {
    const { data, error } = liveSchema.safeParse(answer)
    if (error) report(new Error('the players at another game host cannot be read', { cause: error }))
    return data ? [data] : []
  }

  return async () => {
    const others = (await askOthers?.({ order: 'live' })) ?? []
    return joinLive([toLive(game, sockets), ...others.flatMap(read)])
  }
}
