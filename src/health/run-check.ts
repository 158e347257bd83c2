import type { Finding } from '../core/finding.ts'

/** Longer than the timeouts of all checks; a hanging disk has no timeout of its own. */
const mostMs = 15_000

/** Runs a check with a timeout. An error that it throws is reported, and becomes a finding. */
export async function runCheck<Found>(
  { name, run }: { readonly name: string; readonly run: () => Promise<Found | undefined> },
  report: (error: unknown) => void,
): Promise<Found | Finding | undefined> {
  let over: NodeJS.Timeout | undefined
  const tooLong = new Promise<Finding>((resolve) => {
    const sentence = `The check of this part (${name}) did not finish within ${mostMs / 1000} seconds.`
    over = setTimeout(() => resolve({ is: 'warning', sentence }), mostMs)
  })
  try {
    return await Promise.race([run(), tooLong])
  } catch (error) {
    report(error)
    return { is: 'warning', sentence: `This part could not be checked (${name}); the log says why.` }
  } finally {
    clearTimeout(over)
  }
}
