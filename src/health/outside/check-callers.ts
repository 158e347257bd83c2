import type { Reflection } from '../../http/mirror.ts'
import { lookForOurs, type PublicHost } from './ask-mirror.ts'
import { failure, type Looked, type OutsideCheck, toWorst, warning } from './looked.ts'

/** A forged client address, which the doctor sends: from a range reserved for documentation (RFC 5737). */
export const claimed = '203.0.113.77'

/** Checks that callers are told apart by their own addresses, and that none can forge another address. */
export const makeCallersCheck = (
  hosts: readonly PublicHost[],
  secret: string | undefined,
  trustedProxies: number,
): OutsideCheck => ({
  name: 'callers',
  async run() {
    const look = async (host: PublicHost): Promise<Looked | undefined> => {
      const mirrored = await lookForOurs(host, { secret, headers: { 'x-forwarded-for': claimed } })
      if (mirrored.is === 'unseen') return mirrored.looked
      // The check of headers reports it.
      if (mirrored.is !== 'seen') return undefined
      return judgeCallers(host, mirrored.reflection, trustedProxies)
    }
    return toWorst(await Promise.all(hosts.map(look)))
  },
})

const append =
  'Make it append its caller to X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; Caddy does), then set TRUSTED_PROXIES to the number of proxies.'

/** Judges what a program saw of a request that had `claimed` in its `X-Forwarded-For`. */
export function judgeCallers(
  { what, origin }: PublicHost,
  { caller, forwardedFor, hasForwarded }: Reflection,
  trustedProxies: number,
): Looked {
  // Proxies wrote what comes after the forged address. One that replaces the whole header leaves no forged address.
  const written = forwardedFor.length - (forwardedFor.lastIndexOf(claimed) + 1)
  const setTo = `Set TRUSTED_PROXIES to ${written}, where you run ${written === 1 ? 'one proxy' : `${written} proxies`}.`
  if (caller === claimed)
    return failure(
      `Anybody can claim any address at the ${what}: X-Forwarded-For is trusted as the caller wrote it.`,
      written === 0 ? append : setTo,
    )
  if (written === 0) {
    const isDirect = new URL(origin).protocol === 'http:' && trustedProxies === 0
    if (isDirect) return { is: 'ok', sentence: 'No proxy names callers, and none is trusted.' }
    const how = hasForwarded ? 'names them in Forwarded, which is not read' : 'does not say who they are'
    return warning(`All visitors of the ${what} look like one address: the proxy in front ${how}.`, append)
  }
  if (trustedProxies === written) return { is: 'ok', sentence: 'Callers are known by their own addresses.' }
  return warning(
    `All visitors of the ${what} look like one address (${caller}): ${written} of the proxies in front ${written === 1 ? 'names' : 'name'} callers, and TRUSTED_PROXIES is ${trustedProxies}.`,
    setTo,
  )
}
