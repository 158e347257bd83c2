import type { Finding } from '../core/finding.ts'
import type { Check } from './check.ts'

/** How soon it is put together anew what the checks of each have found. */
const everyMs = 5_000

/** A check whose latest finding can be had without looking again. */
function remember(check: Check) {
  let latest: Promise<Finding | undefined> | undefined
  const run = (): Promise<Finding | undefined> => {
    latest = check.run()
    return latest
  }
  return { check: { ...check, run }, latest: () => latest ?? run() }
}

type Remembered = ReturnType<typeof remember>

/** Of one among several, a failure is a warning: another takes its place. */
const soften = (found: Finding | undefined): Finding | undefined =>
  found?.is === 'failure' ? { ...found, is: 'warning' } : found

/**
 * What is looked at where there are several facilitators: each of them by itself, and whether at least one can be used.
 * Only when none can does it keep the shop from selling.
 *
 * @param members the checks of each
 */
export function makeSeveralChecks(members: readonly (readonly Check[])[]): Check[] {
  const looks = members.map((checks) => checks.map(remember))
  const single = looks.flat().map(({ check }): Check => ({ ...check, run: async () => soften(await check.run()) }))
  const isUsable = async (member: readonly Remembered[]): Promise<boolean> => {
    const found = await Promise.allSettled(member.map(({ latest }) => latest()))
    return found.every((look) => look.status === 'fulfilled' && look.value?.is !== 'failure')
  }
  const whole: Check = {
    name: 'facilitator',
    everyMs,
    async run() {
      const usable = (await Promise.all(looks.map(isUsable))).filter(Boolean).length
      if (usable > 0) return { is: 'ok', sentence: `${usable} of ${members.length} payment facilitators can be used.` }
      return {
        is: 'failure',
        sentence: `None of the ${members.length} payment facilitators can be used, so nothing can be sold.`,
      }
    },
  }
  return [...single, whole]
}
