import { loadMeasures, measureLoad } from '../load.ts'
import type { Row } from '../row.ts'
import type { Server } from '../server.ts'
import { startBareCopy } from '../start-bare-copy.ts'
import { startOurSite } from '../start-our-site.ts'

/** How much of a bare server's speed is left in one that knows a whole site. */
export const staticPage: Row = {
  title: 'Static page',
  meaning:
    '32 connections ask for the front page, uncompressed. Bare `node:http` sends one constant answer with the same headers and body.',
  measures: loadMeasures,
  goals: [],
  async start(bench) {
    const ours = await startOurSite(bench)
    const copy = await startBareCopy(bench, `${ours.origin}/`)
    const load = (server: Server) => () => measureLoad(server, { path: '/', status: 200, seconds: bench.seconds })
    return { ours: load(ours), peers: { 'bare node:http': load(copy) } }
  },
}
