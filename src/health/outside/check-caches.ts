import type { PublicHost } from './ask-mirror.ts'
import { type Looked, type OutsideCheck, toWorst, warning } from './looked.ts'
import { whyUnreached } from './why-unreached.ts'

const deadlineMs = 8_000

/** Checks that proxies in front do not cache responses that must not be cached, such as purchases. */
export const makeCachesCheck = (hosts: readonly PublicHost[]): OutsideCheck => ({
  name: 'caches',
  run: async () => toWorst(await Promise.all(hosts.map(look))),
})

async function look({ what, origin }: PublicHost): Promise<Looked | undefined> {
  const ask = async () => {
    const { status, headers } = await fetch(`${origin}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
    })
    return { status, id: headers.get('x-request-id'), control: headers.get('cache-control') ?? '' }
  }
  try {
    const first = await ask()
    // If it is not the program that responds, the check of headers reports that.
    if (first.status !== 200) return undefined
    const second = await ask()
    if (first.id === null || second.id === null)
      return warning(
        `The header X-Request-Id is removed from answers of the ${what}.`,
        'Make the proxy leave the headers of answers unchanged: buyers refer to a failed purchase by this one.',
      )
    if (first.id === second.id)
      return warning(
        `Something in front of the ${what} caches answers that must not be cached.`,
        'Turn its cache off, or make it obey Cache-Control: what was sold to one buyer must not go to another.',
      )
    if (!first.control.includes('no-store'))
      return warning(
        `Something in front of the ${what} changes Cache-Control, so that browsers and caches keep what they must not.`,
        'Make it leave Cache-Control unchanged.',
      )
    return { is: 'ok', sentence: 'Nothing in front caches what must not be cached.' }
  } catch (error) {
    return whyUnreached(error) === 'nobody' ? { is: 'later', sentence: `The ${what} is not running.` } : undefined
  }
}
