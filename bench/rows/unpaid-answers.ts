import { startSite } from '../../tests/support/running-site.ts'
import { loadMeasures, measureLoad } from '../load.ts'
import type { Row } from '../row.ts'
import { startBareCopy } from '../start-bare-copy.ts'
import { skillPath, startReference } from '../start-reference.ts'

const hono = '@x402/hono'
const bare = 'bare node:http'

/** How fast a price is quoted: every sale begins with a 402, and crawlers ask for many more than are bought. */
export const unpaidAnswers: Row = {
  title: '402 answers',
  meaning: `32 connections ask for a paid skill (\`GET ${skillPath}\`) without paying. Ours is the whole site program; \`@x402/hono\` is \`paymentMiddleware\` on \`@hono/node-server\` with this one route on the same terms; bare \`node:http\` sends one constant answer with the status, headers and body size of ours.`,
  measures: loadMeasures,
  goals: [
    { measure: 'answers', peer: hono, is: 'at least', ratio: 4 },
    { measure: 'answers', peer: bare, is: 'at least', ratio: 0.8 },
  ],
  async open(bench) {
    const site = await startSite({ ...bench.money, dataDir: bench.newFolder(), env: { NODE_ENV: 'production' } })
    const url = `http://127.0.0.1:${site.port}${skillPath}`
    const [reference, copy] = [await startReference(bench, site), await startBareCopy(url)]
    const load = (target: { url: string; pid: number | undefined }) => () =>
      measureLoad(target, { status: 402, seconds: bench.seconds })
    return {
      ours: load({ url, pid: site.child.pid }),
      peers: {
        [hono]: load({ url: reference.origin + skillPath, pid: reference.pid }),
        [bare]: load({ url: copy.origin + skillPath, pid: copy.pid }),
      },
      close: async () => void (await Promise.all([site.kill('SIGTERM'), reference.stop(), copy.stop()])),
    }
  },
}
