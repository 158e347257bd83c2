import { measureLoad } from '../load.ts'
import type { Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { startBareCopy } from '../start-bare-copy.ts'
import { startOurGame } from '../start-our-game.ts'
import { startOurSite } from '../start-our-site.ts'

const peer = 'bare node:http'
/** Paths that are polled often: by load balancers, by pages that show who plays, and by monitoring of the jobs. */
const paths = ['/healthz', '/api/cron-health.json', '/api/live'] as const
type Path = (typeof paths)[number]
const nameOf = (path: Path) => ({ answers: `${path}: answers`, cost: `${path}: server CPU` })

/** How close small, dynamic JSON responses come to the speed of a bare server. */
export const hotJson: Row = {
  title: 'Hottest JSON',
  meaning: `32 connections ask for \`/healthz\` and \`/api/cron-health.json\` of the whole site program and for \`/api/live\` of the whole game host, where nobody plays. Bare \`node:http\` sends one constant answer for each, with the same headers and body.`,
  measures: paths.flatMap((path) => [
    { name: nameOf(path).answers, unit: '/s', digits: 0 },
    { name: nameOf(path).cost, unit: 'µs', digits: 1 },
  ]),
  goals: paths.map((path) => ({ measure: nameOf(path).answers, peer, is: 'at least', ratio: 0.8 })),
  causes: paths.flatMap((path) =>
    [nameOf(path).answers, nameOf(path).cost].map((measure) => ({
      measure,
      because:
        'What bare Node.js does not do: a request id, the check of `Host`, limits, security headers, and the look at what is said. Tried: no Request and Response (29 to 17 µs), one look at the ledger for all who ask in one turn of the event loop, in one statement (700 to 18 µs for `/api/cron-health.json`, by Astro before), headers as one flat list with the body in one piece; plain paths recognized without being decoded, and no promise for what is at hand (21.6 and 22.2 µs for `/healthz` in place of 25.3 and 26.0, in turns, 2026-11-29); the ledger is asked for runs of jobs only where it was written to since (a turn of `/api/cron-health.json` took 275 µs, of which 189 were that and 55 the check of results, and takes 25); and requests of one turn are handled after all of them are read (23.9 µs for `/healthz` in place of 29.0, seven of each in turns). Since 2026-11-30 the shared look at the ledger begins when all requests of a turn are handled, where it waited for the next turn, in which more requests were read first: `/api/cron-health.json` has 0.85 times the answers of the bare server in two short runs, in place of 0.77, 0.72 and 0.76. With that, to keep the text until something in it changes makes no difference (0.83 to 0.87 in five): not taken.',
      profile: {
        of: 'both programs during this row, their start among it, by --cpu-prof, 2026-11-26',
        percent: {
          "Node's HTTP server, streams and events": 29,
          'writing to sockets': 28,
          'our HTTP, the site and its ledger': 15,
          'garbage collection': 7,
          'native code': 7,
          'loading modules': 3,
          'the rest': 11,
        },
      },
    })),
  ),
  async start(bench) {
    const site = await startOurSite(bench)
    const game = await startOurGame(bench)
    const programs: Readonly<Record<Path, Server>> = {
      '/healthz': site,
      '/api/cron-health.json': site,
      '/api/live': game,
    }
    const ours: [Path, Server][] = []
    const theirs: [Path, Server][] = []
    for (const path of paths) {
      ours.push([path, programs[path]])
      theirs.push([path, await startBareCopy(bench, programs[path].origin + path)])
    }
    const measure = (servers: readonly [Path, Server][]) => async (): Promise<Sample> => {
      const sample: Record<string, number> = {}
      for (const [path, server] of servers) {
        const load = await measureLoad(server, { path, status: 200, seconds: bench.seconds })
        sample[nameOf(path).answers] = load['answers'] ?? Number.NaN
        sample[nameOf(path).cost] = load['server CPU per answer'] ?? Number.NaN
      }
      return sample
    }
    return { ours: measure(ours), peers: { [peer]: measure(theirs) } }
  },
}
