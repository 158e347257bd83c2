import { loadMeasures, measureLoad } from '../load.ts'
import type { Row } from '../row.ts'
import type { Server } from '../server.ts'
import { startBareCopy } from '../start-bare-copy.ts'
import { startOurSite } from '../start-our-site.ts'
import { skillPath, startExpressReference, startReference } from '../start-reference.ts'

const hono = '@x402/hono'
const express = '@x402/express'
const bare = 'bare node:http'

const inside =
  'The goal is beyond what is there to be won on this machine: bare `node:http`, which sends one constant answer, is not as far ahead of it either. The answer has 4 KB, and sending it is most of the work. What was tried stands beside bare `node:http`.'

/** How fast a price is quoted: every sale begins with a 402, and crawlers cause many more of them than buyers. */
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
  causes: [
    { measure: 'answers', peer: hono, because: inside },
    { measure: 'server CPU per answer', peer: hono, because: inside },
    {
      measure: 'answers',
      peer: bare,
      because: 'Each answer of ours is another: see the processor time.',
    },
    {
      measure: 'server CPU per answer',
      peer: bare,
      because:
        'Each answer of ours has a number for the sign-in of an owner and the time at which it runs out, under a key (HMAC), and a request id. Tried: the text is prepared and only these places are filled in; numbers are drawn 512 at once (13 to 2 µs an answer); headers are one flat list and go out with the body in one piece.',
      profile: {
        of: 'the site under this load, by --cpu-prof, without its start, 2026-11-24',
        percent: {
          'sending (the system)': 41,
          'the rest of Node.js': 25,
          'sign-in: number, HMAC, times': 7,
          'garbage collection': 6,
          'the check of headers for foreign signs': 5,
          'filling in the text, base64': 5,
          'limits, request id, connections': 4,
        },
      },
    },
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
