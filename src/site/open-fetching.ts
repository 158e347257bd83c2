import { connect } from 'node:net'
import type { Config } from '../config/config.ts'
import type { GuardedFetch } from '../fetching/fetched.ts'
import { makeFindAddresses } from '../fetching/find-addresses.ts'
import { makeGuardedFetch } from '../fetching/guarded-fetch.ts'

/** The site's one way to addresses that strangers name. The services that settle its payments are not among them. */
export const openFetching = (config: Config): GuardedFetch =>
  makeGuardedFetch({
    userAgent: `FarthingFetch/1.0 (+${config.baseUrl}/agents)`,
    refusedUrls: [config.facilitator.url, config.rpcUrl],
    findAddresses: makeFindAddresses(),
    openSocket: ({ host, port }) => connect({ host, port, autoSelectFamily: false }),
    test: config.egressTest,
  })
