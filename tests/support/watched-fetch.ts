import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { connect } from 'node:net'
import { setDefaultCACertificates } from 'node:tls'
import { FetchFailed, type FetchFailure, type FetchWish } from '../../src/fetching/fetched.ts'
import { makeFindAddresses } from '../../src/fetching/find-addresses.ts'
import { type GuardOptions, makeGuardedFetch } from '../../src/fetching/guarded-fetch.ts'
import type { PretendWeb } from './pretend-web.ts'

const wish: FetchWish = { accept: 'text/html', deadlineMs: 4000, maxBytes: 100_000 }

/** An address that the pretend internet does not reach. */
export const deadAddress = '93.184.216.99'

/**
 * The real guarded fetch on a pretend internet: every address leads to the small web on loopback, and every connection
 * attempt is recorded. Its trusted authority stays trusted in this process.
 */
export function watchFetch(web: PretendWeb, changes: Partial<GuardOptions> & { dnsServer?: string } = {}) {
  setDefaultCACertificates([web.ca.cert])
  const dialled: string[] = []
  const during = new AsyncLocalStorage<true>()
  let sockets = 0
  subscribe('net.client.socket', () => {
    if (during.getStore()) sockets += 1
  })
  const { dnsServer, ...options } = changes
  const unwatched = makeGuardedFetch({
    userAgent: 'FarthingTest/1.0',
    refusedUrls: ['https://facilitator.example/x402', 'https://rpc.example/'],
    findAddresses: makeFindAddresses(dnsServer ? [dnsServer] : ['127.0.0.1:9']),
    test: { hosts: new Map(), caFile: undefined },
    openSocket({ host, port }) {
      dialled.push(`${host.includes(':') ? `[${host}]` : host}:${port}`)
      const its = host === '127.0.0.1' ? port : host === deadAddress ? 9 : web.port
      return connect({ host: '127.0.0.1', port: its, autoSelectFamily: false })
    },
    ...options,
  })
  const guardedFetch: typeof unwatched = (...asked) => during.run(true, () => unwatched(...asked))
  return {
    guardedFetch,
    /** The targets of connection attempts, in order. */
    dialled,
    /** All client sockets opened for these fetches, by any code; other tests in this process have their own. */
    sockets: () => sockets,
    get: (url: string, more: Partial<FetchWish> = {}) => guardedFetch(url, { ...wish, ...more }),
    /** The reason for a failed fetch; undefined if it succeeds. */
    async failure(url: string, more: Partial<FetchWish> = {}): Promise<FetchFailure | undefined> {
      try {
        await guardedFetch(url, { ...wish, ...more })
        return undefined
      } catch (error) {
        if (error instanceof FetchFailed) return error.reason
        throw error
      }
    },
  }
}
