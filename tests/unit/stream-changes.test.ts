import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listen } from '../../src/http/listen.ts'
import { type ChangeWatch, makeChangeWatch } from '../../src/operator/watch-changes.ts'
import { makeStreamChanges } from '../../src/operator-pages/stream-changes.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { openTestLedger } from '../support/test-databases.ts'

let db: LedgerDatabase
let changes: ChangeWatch
let watching: number
beforeEach(async () => {
  db = await openTestLedger()
  watching = 0
  const watch = makeChangeWatch({ db, report: () => {} })
  changes = {
    ...watch,
    watch(tell) {
      const stop = watch.watch(tell)
      watching++
      return () => {
        watching--
        stop()
      }
    },
  }
})
afterEach(async () => {
  vi.useRealTimers()
  await changes.close()
  await db.destroy()
})

const session = { id: 'id', token: 'token' }
const unsigned = { session, name: '', fields: new URLSearchParams() }

/** Opens a stream on a server whose handler is `begin`. */
async function ask(begin: (req: IncomingMessage, res: ServerResponse, leave: () => void) => Promise<void>) {
  const done = Promise.withResolvers<void>()
  const leaving = new AbortController()
  const server = createServer((req, res) => {
    begin(req, res, () => leaving.abort()).then(done.resolve, done.reject)
  })
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  const answer = fetch(`http://127.0.0.1:${port}/operator/events`, { signal: leaving.signal }).catch(() => undefined)
  return { answer, done: done.promise, close: () => server.close().closeAllConnections() }
}

it('does not watch for a client that left while its session was being checked', async () => {
  const stream = makeStreamChanges({ changes, isIn: async () => true, signal: new AbortController().signal })
  const { done, close } = await ask(async (req, res, leave) => {
    leave()
    await once(res, 'close')
    await stream({ ...unsigned, req, res })
  })
  await done
  expect(watching).toBe(0)
  close()
})

it('sends nothing on a stream that ended while the session of the operator was being checked', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const stopping = new AbortController()
  const lookedUp = Promise.withResolvers<boolean>()
  const stream = makeStreamChanges({ changes, isIn: () => lookedUp.promise, signal: stopping.signal })
  const errors: unknown[] = []
  const { answer, done, close } = await ask(async (req, res) => {
    res.on('error', (error) => errors.push(error))
    await stream({ ...unsigned, req, res })
    vi.advanceTimersByTime(4000)
    stopping.abort()
    lookedUp.resolve(true)
    await once(res, 'close')
  })
  await Promise.all([answer, done])
  expect([errors, watching]).toEqual([[], 0])
  close()
})
