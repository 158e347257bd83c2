import { Resolver } from 'node:dns/promises'

/** Finds all addresses of a name in DNS, IPv4 and IPv6 alternating, IPv4 first. Empty when there are none in time. */
export type FindAddresses = (host: string, signal: AbortSignal) => Promise<readonly string[]>

const patienceMs = 5000

/**
 * Asks DNS directly and not the machine's hosts file, which names internal hosts.
 *
 * @param servers addresses of DNS servers; when empty, those of the machine are asked
 */
export const makeFindAddresses =
  (servers: readonly string[] = []): FindAddresses =>
  async (host, signal) => {
    const resolver = new Resolver({ timeout: patienceMs / 4, tries: 2 })
    if (servers.length > 0) resolver.setServers(servers)
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const cancel = () => resolver.cancel()
    patience.addEventListener('abort', cancel, { once: true })
    try {
      const [ipv4, ipv6] = await Promise.all([orNone(resolver.resolve4(host)), orNone(resolver.resolve6(host))])
      const turns = Array.from({ length: Math.max(ipv4.length, ipv6.length) }, (_, at) => at)
      return turns.flatMap((at) => [...ipv4.slice(at, at + 1), ...ipv6.slice(at, at + 1)])
    } finally {
      patience.removeEventListener('abort', cancel)
    }
  }

const orNone = (answer: Promise<string[]>): Promise<string[]> => answer.catch(() => [])
