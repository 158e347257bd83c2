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
        'Each answer of ours has a number for the sign-in of an owner and the time at which it runs out, under a key, and a request id. Tried: the text is prepared and only these places are filled in; numbers are drawn and marked 64 at once by AES-256, where each had an HMAC (2.5 to 0.26 µs), times are written once a millisecond, and their base64 takes one call (all three together: 2.29 and 1.93 times the processor time of the bare server before, 1.56 and 1.50 after, in turns, 2026-11-28); headers are one flat list and go out with the body in one piece; requests of one turn of the event loop are handled after all of them are read (36.0 µs in place of 41.0, and 27,900 a second in place of 24,300, seven of each in turns, 2026-11-29). Without the limit of 4 MB for young objects an answer took 45.7 µs in place of 54.6 (16 MB: 51.9); it was kept, because such a site grows by up to 120 MB.',
      profile: {
        of: 'the site under this load, by --cpu-prof, without its start, 2026-11-28',
        percent: {
          'sending (the system)': 45,
          'the rest of Node.js': 20,
          'the check of headers for foreign signs': 13,
          'garbage collection': 10,
          'filling in the text, base64': 6,
          'limits, request id, connections': 4,
          'numbers of sign-in messages': 2,
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
