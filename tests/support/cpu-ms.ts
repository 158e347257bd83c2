/** Milliseconds of processor time that work takes this thread, whatever else the machine does. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Milliseconds of processor time that work takes all threads of this process. */
export async function processCpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The work below took 90 to 148 ms within one day on two cores of an AMD EPYC; limits hold unchanged at this. */
const referenceMs = 120
/** However slow a machine is, what takes so many times its limit has failed. */
const mostTimes = 3

function work(): void {
  for (let round = 0; round < 300; round += 1)
    '<a href="x">y</a> and more'
      .repeat(3000)
      .replaceAll(/<[^>]*>/g, '')
      .split(' ')
}

/** How many times as long as usual this machine takes right now: a shared one is slower from moment to moment. */
function slowness(): number {
  // What runs first runs slowly.
  const [, measured = referenceMs] = Array.from({ length: 3 }, () => cpuMsOf(work)).toSorted(
    (one, other) => one - other,
  )
  return Math.min(mostTimes, Math.max(1, measured / referenceMs))
}

/**
 * Processor time as this machine would have taken it at its usual speed: the first measure below a limit, or the least
 * of five, because what runs first, or beside others, runs slowly.
 */
export async function usualCpuMs(limitMs: number, measure: () => number | Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 5 && least >= limitMs; attempt += 1) {
    const ms = await measure()
    // How slow the machine is, is asked only where it matters.
    least = Math.min(least, ms < limitMs ? ms : ms / slowness())
  }
  return least
}
