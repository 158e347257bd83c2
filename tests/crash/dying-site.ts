// The site program with two differences: every product it makes is unlike any other, so that work done twice shows,
// and it kills or freezes itself at a point that the test names. `node tests/crash/dying-site.ts <build folder>`, with
// a channel to the test; it loads everything, says so, and opens the site when it is told a data folder.
import { randomBytes } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { readConfig } from '../../src/config/config.ts'
import { log } from '../../src/core/log.ts'
import { listen } from '../../src/http/listen.ts'
import { stopOnSignal } from '../../src/http/shutdown.ts'
import type { Make } from '../../src/offers/make.ts'
import { loadHandler } from '../../src/site/astro-handler.ts'
import type { Wrappers } from '../../src/site/open-press.ts'
import { openSite } from '../../src/site/open-site.ts'
import { isKillPoint, type KillPoint } from '../support/kill-points.ts'
import { type SiteOrder, type SiteReport, siteOrder } from '../support/site-messages.ts'
import { toPlace } from '../support/test-databases.ts'

const [buildFolder = ''] = process.argv.slice(2)

const tell = (report: SiteReport): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(report, () => resolve())
  })

let armed: Extract<SiteOrder, { is: 'arm' }> | undefined

/** Kills or freezes this process if it is armed for this point. After a freeze, the caller goes on where it stood. */
async function pass(point: KillPoint): Promise<void> {
  if (armed?.point !== point) return
  armed.passes--
  if (armed.passes > 0) return
  const { signal } = armed
  armed = undefined
  if (signal === 'SIGSTOP') await tell({ is: 'frozen' })
  process.kill(process.pid, signal)
  if (signal === 'SIGSTOP') await tell({ is: 'thawed' })
}

/** The same part of the program, with a point before and after each method, where `toPoint` names one for it. */
function withPoints<Part extends object>(part: Part, toPoint = (when: string, method: string) => `${when} ${method}`) {
  return new Proxy(part, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      const before = toPoint('before', String(name))
      const after = toPoint('after', String(name))
      if (typeof method !== 'function' || !(isKillPoint(before) || isKillPoint(after))) return method
      return async (...given: unknown[]): Promise<unknown> => {
        if (isKillPoint(before)) await pass(before)
        const result: unknown = await method.apply(target, given)
        if (isKillPoint(after)) await pass(after)
        return result
      }
    },
  })
}

let extraBytes = [0]
let made = 0

const makeUnique =
  (make: Make): Make =>
  async (input, signal, paymentKey) => {
    await pass('before make')
    const product = await make(input, signal, paymentKey)
    const extra = randomBytes(16 + (extraBytes[made++ % extraBytes.length] ?? 0))
    await tell({ is: 'made' })
    await pass('after make')
    return { ...product, body: Buffer.concat([product.body, extra]) }
  }

const wrap: Wrappers = {
  ledger: (ledger) => withPoints(ledger),
  facilitator: (facilitator) => withPoints(facilitator),
  oracle: (oracle) => withPoints(oracle),
  // Reading the product is the first step of a delivery.
  products: (products) => withPoints(products, (when, method) => (method === 'read' ? `${when} deliver` : '')),
  make: makeUnique,
}

async function obey(order: SiteOrder): Promise<void> {
  switch (order.is) {
    case 'open': {
      extraBytes = order.extraBytes
      const config = readConfig({ ...process.env, ...(await toPlace(order.dataDir)) })
      const site = await openSite(config, buildFolder, log, wrap)
      const { port } = await listen(site.server, config)
      stopOnSignal({ servers: [site.server], settle: site.close })
      return tell({ is: 'listening', port })
    }
    case 'arm':
      armed = order
      return tell({ is: 'armed' })
  }
}

process.on('message', (message) => {
  obey(siteOrder.parse(message)).catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})
// The test is gone, so nobody needs this process.
process.on('disconnect', () => process.exit(1))
loadHandler({ folder: buildFolder })
// A killed process never writes its compile cache, so the next one would have to compile everything again.
flushCompileCache()
await tell({ is: 'loaded' })
