import type { PublicHost } from './ask-mirror.ts'
import { type Looked, type OutsideCheck, toWorst, warning } from './looked.ts'
import { whyUnreached } from './why-unreached.ts'

const deadlineMs = 8_000

/** Whether what stands in front keeps answers that nobody may keep, payments among them. */
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
    // Who answers, if not the program, is said by the check of headers.
    if (first.status !== 200) return undefined
    const second = await ask()
    if (first.id === null || second.id === null)
      return warning(
        `The header X-Request-Id is taken out of answers of the ${what}.`,
        'Let the proxy leave the headers of answers as they are: buyers name a failed purchase by it.',
      )
    if (first.id === second.id)
      return warning(
        `Something in front of the ${what} keeps answers that may not be kept.`,
        'Switch its cache off, or let it obey Cache-Control: what was sold to one buyer must not go to another.',
      )
    if (!first.control.includes('no-store'))
      return warning(
        `Something in front of the ${what} changes Cache-Control, so that browsers and caches keep what they may not.`,
        'Let it leave Cache-Control as the program writes it.',
      )
    return { is: 'ok', sentence: 'Nothing in front keeps what may not be kept.' }
  } catch (error) {
    return whyUnreached(error) === 'nobody' ? { is: 'later', sentence: `The ${what} is not running.` } : undefined
  }
}
