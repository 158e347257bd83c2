import { buildFiles } from '../../src/storage/build-folder.ts'
import { loadMeasures, measureLoad } from '../load.ts'
import type { Row } from '../row.ts'
import type { Server } from '../server.ts'
import { startBareCopy } from '../start-bare-copy.ts'
import { nginx, startNginx } from '../start-nginx.ts'
import { startOurSite } from '../start-our-site.ts'

/** How close the server of a whole site comes to the speed of a bare server. */
export const staticPage: Row = {
  title: 'Static page',
  meaning:
    '32 connections ask for the front page, uncompressed. Bare `node:http` sends one constant answer with the same headers and body; nginx has one worker and the same file, which the kernel sends, and none of our headers.',
  measures: loadMeasures,
  goals: [{ measure: 'answers', peer: nginx, is: 'at least', ratio: 0.9 }],
  causes: [
    {
      measure: 'answers',
      peer: nginx,
      because:
        'Reading a request and writing an answer take Node.js longer than everything takes nginx: a bare `node:http` server that sends one constant answer has 0.57 and 0.66 of the answers of nginx (two runs of 2026-11-26), which no way of writing ours can pass. Tried: files that are kept in memory (they are); no promise on the way (there is none); since 2026-11-29 requests are handled once all that have arrived are read, which takes a sixth less processor time (39.9 µs in place of 46.8, and 43.1 in place of 63.9 at a slower hour, 25 rounds each in turns); headers as one flat list, or the body as text that goes out with them in one piece, in a bare server with the same headers and body (24.6 and 26.4 µs in place of 25.2: not taken). What is left of ours beside bare Node.js is the request id, the check of `Host` and the choice of the form.',
      profile: {
        of: 'the site during this row, without its start and without what waits, by --cpu-prof while other programs ran, 2026-11-29',
        percent: {
          'writing to sockets': 56,
          "Node's HTTP server, streams and events": 23,
          'our HTTP and the site': 11,
          'garbage collection': 7,
          'the rest': 3,
        },
      },
    },
    {
      measure: 'server CPU per answer',
      peer: 'bare node:http',
      because:
        'What the bare server does not do: a request id, the check of `Host`, the path and the form that the client takes, and a look at whether clients read what they are sent. Tried: what is said of it beside nginx; since 2026-11-29 most responses are watched without a listener of their own.',
    },
    {
      measure: 'server CPU per answer',
      peer: nginx,
      because:
        'Node.js takes longer to read a request and to write an answer than nginx takes for everything; see the answers beside it.',
    },
  ],
  async start(bench) {
    const ours = await startOurSite(bench)
    const copy = await startBareCopy(bench, `${ours.origin}/`)
    const files = await startNginx(bench, buildFiles(bench.build).client)
    const isHere = typeof files === 'object'
    const load = (server: Server) => () => measureLoad(server, { path: '/', status: 200, seconds: bench.seconds })
    return {
      ours: load(ours),
      peers: { 'bare node:http': load(copy), ...(isHere && { [nginx]: load(files) }) },
      missing: isHere ? {} : { [nginx]: files },
    }
  },
}
