import { loadMeasures, measureLoad } from '../load.ts'
import type { Row } from '../row.ts'
import type { Server } from '../server.ts'
import { startBareCopy } from '../start-bare-copy.ts'
import { startOurSite } from '../start-our-site.ts'
import { skillPath, startExpressReference, startReference } from '../start-reference.ts'

const hono = '@x402/hono'
const express = '@x402/express'
const bare = 'bare node:http'

/** How fast a price is quoted: every sale begins with a 402, and crawlers ask for many more than are bought. */
export const unpaidAnswers: Row = {
  title: '402 answers',
  meaning: `32 connections ask for a paid skill (\`GET ${skillPath}\`) without paying. Ours is the whole site program; \`@x402/hono\` is \`paymentMiddleware\` on \`@hono/node-server\` with this one route on the same terms, and \`@x402/express\` the same for Express 5; bare \`node:http\` sends one constant answer with the status, the headers and the body of ours.`,
  measures: loadMeasures,
  goals: [
    { measure: 'answers', peer: hono, is: 'at least', ratio: 4 },
    { measure: 'server CPU per answer', peer: hono, is: 'at most', ratio: 0.2 },
    { measure: 'answers', peer: bare, is: 'at least', ratio: 0.8 },
    { measure: 'server CPU per answer', peer: bare, is: 'at most', ratio: 1.1 },
  ],
  async start(bench) {
    const ours = await startOurSite(bench)
    const reference = await startReference(bench, ours)
    const onExpress = await startExpressReference(bench, ours)
    const copy = await startBareCopy(bench, ours.origin + skillPath)
    const load = (server: Server) => () => measureLoad(server, { path: skillPath, status: 402, seconds: bench.seconds })
    const isHere = typeof onExpress === 'object'
    return {
      ours: load(ours),
      peers: { [hono]: load(reference), ...(isHere && { [express]: load(onExpress) }), [bare]: load(copy) },
      missing: isHere ? {} : { [express]: onExpress },
    }
  },
}
