// The site program with two differences: it prints `made` for each product that it makes, and with TEST_DEADLINE_MS (in
// ms) it waits no longer than that for its facilitator. `node tests/hostile/watched-site.ts <build folder>`
import { readConfig } from '../../src/config/config.ts'
import { log } from '../../src/core/log.ts'
import { listen } from '../../src/http/listen.ts'
import { stopOnSignal } from '../../src/http/shutdown.ts'
import { makeCircuitBreaker } from '../../src/payments/facilitator/circuit-breaker.ts'
import { makeFacilitatorClient } from '../../src/payments/facilitator/facilitator-client.ts'
import type { Wrappers } from '../../src/site/open-press.ts'
import { openSite } from '../../src/site/open-site.ts'

const [buildFolder = ''] = process.argv.slice(2)
const deadlineMs = Number(process.env['TEST_DEADLINE_MS'] ?? 0)
const config = readConfig(process.env)

const hasty = () =>
  makeFacilitatorClient({
    url: config.facilitator.url,
    headers: config.facilitator.headers,
    breaker: makeCircuitBreaker({ failures: 5, windowMs: 30_000, restMs: 10_000 }, Date.now),
    deadlines: { verifyMs: deadlineMs, settleMs: deadlineMs },
  })

const wrap: Wrappers = {
  ledger: (ledger) => ledger,
  facilitator: (facilitator) => (deadlineMs > 0 ? hasty() : facilitator),
  oracle: (oracle) => oracle,
  products: (products) => products,
  make: (make) => (input, signal, paymentKey) => {
    console.log('made')
    return make(input, signal, paymentKey)
  },
}

const site = await openSite(config, buildFolder, log, wrap)
const { port } = await listen(site.server, config)
stopOnSignal({ servers: [site.server], settle: site.close })
console.log(`listening ${port}`)
