import { startSite } from '../../tests/support/running-site.ts'
import { loadMeasures, measureLoad } from '../load.ts'
import type { Row } from '../row.ts'
import { startBareCopy } from '../start-bare-copy.ts'

/** How much of a bare server is left when it knows a whole site. */
export const staticPage: Row = {
  title: 'Static page',
  meaning:
    '32 connections ask for the front page, uncompressed. Bare `node:http` sends one constant answer with the same headers and body.',
  measures: loadMeasures,
  goals: [],
  async open(bench) {
    const site = await startSite({ ...bench.money, dataDir: bench.newFolder(), env: { NODE_ENV: 'production' } })
    const url = `http://127.0.0.1:${site.port}/`
    const copy = await startBareCopy(url)
    const load = (target: { url: string; pid: number | undefined }) => () =>
      measureLoad(target, { status: 200, seconds: bench.seconds })
    return {
      ours: load({ url, pid: site.child.pid }),
      peers: { 'bare node:http': load({ url: copy.origin, pid: copy.pid }) },
      close: async () => void (await Promise.all([site.kill('SIGTERM'), copy.stop()])),
    }
  },
}
