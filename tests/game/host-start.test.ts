import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs these lines in a process of their own, and returns the JSON that they print. */
function run(lines: string): unknown {
  const program = `import { registerHooks } from 'node:module'
    ${lines}
    process.exit()`
  const args = ['--input-type=module', '--eval', program]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }))
}

/** Imports a module and returns the URLs of the files that this loaded. */
const loadedBy = (module: string): string[] =>
  z.array(z.string()).parse(
    run(`
    const loaded = new Set()
    registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context)
        loaded.add(found.url)
        return found
      },
    })
    await import(${JSON.stringify(module)})
    console.log(JSON.stringify([...loaded]))`),
  )

it('starts without the MCP package, which is loaded with the first call', () => {
  const loaded = loadedBy('./game-server/host/open-game-host.ts')
  expect(loaded.filter((url) => url.endsWith('/game-server/mcp/serve-http.ts'))).toHaveLength(1)
  expect(loaded.filter((url) => url.includes('/@modelcontextprotocol/server/'))).toEqual([])
})

it('starts without the package that signs payments, which is loaded with the first payment', () => {
  const loaded = loadedBy('./game-server/host/open-game-host.ts')
  expect(loaded.filter((url) => url.endsWith('/facilitator/known-good-payment.ts'))).toHaveLength(1)
  expect(loaded.filter((url) => url.endsWith('/viem/_esm/accounts/privateKeyToAccount.js'))).toEqual([])
})

it('loads the package that signs payments for the next payment when loading failed for one', () => {
  const told = run(`
    let failures = 1
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier === 'viem/accounts' && failures-- > 0) throw new Error('too many open files')
        return next(specifier, context)
      },
    })
    const { makeKnownGoodPayment } = await import('./src/payments/facilitator/known-good-payment.ts')
    const address = '0x' + '1'.repeat(40)
    const terms = { network: 'eip155:8453', asset: address, payTo: address, amount: '1', maxTimeoutSeconds: 60, extra: {} }
    const sign = () => makeKnownGoodPayment(terms).then(({ payload }) => payload.signature.length, (error) => error.message)
    console.log(JSON.stringify([await sign(), await sign()]))`)
  expect(told).toEqual(['too many open files', 132])
})

it('loads the MCP package for the next call when loading failed for one', () => {
  const told = run(`
    let failures = 1
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier.endsWith('/open-tool-servers.ts') && failures-- > 0) throw new Error('too many open files')
        return next(specifier, context)
      },
    })
    const { makeMcpRoutes } = await import('./game-server/mcp/serve-http.ts')
    const [{ handlers }] = makeMcpRoutes({
      addresses: { gameUrl: 'http://game.localhost', wsUrl: 'ws://game.localhost/ws' },
      baseUrl: 'http://site.localhost',
      admit: () => 0,
      now: Date.now,
    })
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a client', version: '1' } }
    const ask = async () => {
      const request = new Request('http://game.localhost/mcp', {
        method: 'POST',
        headers: { host: 'game.localhost', 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
      })
      const answer = await handlers.POST(request, '', 'an address').catch((error) => error)
      return answer instanceof Response ? answer.status : answer.message
    }
    console.log(JSON.stringify([await ask(), await ask(), await ask()]))`)
  expect(told).toEqual(['too many open files', 200, 200])
})
