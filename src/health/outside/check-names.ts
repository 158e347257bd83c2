import { lookup } from 'node:dns/promises'
import { isPublicAddress } from '../../fetching/public-address.ts'
import { failure, type Looked, type OutsideCheck, toWorst, warning } from './looked.ts'

/** Checks that the public names resolve on this machine, and in live mode to a public address. */
export const makeNamesCheck = (urls: readonly string[], isLive: boolean): OutsideCheck => ({
  name: 'dns',
  async run() {
    const hosts = new Set(urls.map((url) => new URL(url).hostname.replace(/^\[|\]$/g, '')))
    return toWorst(await Promise.all([...hosts].map((host) => lookUp(host, isLive))))
  },
})

async function lookUp(host: string, isLive: boolean): Promise<Looked> {
  const found = await lookup(host, { all: true }).catch(() => [])
  const addresses = found.map(({ address }) => address)
  if (addresses.length === 0)
    return failure(`The name ${host} does not resolve.`, 'Give it an A or AAAA record with the address of the server.')
  const sentence = `${host} resolves to ${addresses.join(', ')}`
  if (!isLive || addresses.some(isPublicAddress)) return { is: 'ok', sentence: `${sentence}.` }
  return warning(
    `${sentence}, which cannot be reached from outside.`,
    'Unless only this machine resolves the name like this (/etc/hosts), give its record a public address.',
  )
}
