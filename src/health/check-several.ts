import type { Finding } from '../core/finding.ts'
import type { Check } from './check.ts'

/** How often the findings of all members are combined anew. */
const everyMs = 5_000

/** Wraps a check so that its latest finding can be read without running it again. */
function remember(check: Check) {
  let latest: Promise<Finding | undefined> | undefined
  const run = (): Promise<Finding | undefined> => {
    latest = check.run()
    return latest
  }
  return { check: { ...check, run }, latest: () => latest ?? run() }
}

type Remembered = ReturnType<typeof remember>

/** The failure of one of several facilitators is a warning, because another takes its place. */
const soften = (found: Finding | undefined): Finding | undefined =>
  found?.is === 'failure' ? { ...found, is: 'warning' } : found

/**
 * The checks where there are several facilitators: each of them by itself, and whether at least one can be used. Only
 * when none can be used is it a failure that stops sales.
 *
 * @param members the checks of each facilitator
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
