/** CPU time in milliseconds that work takes on this thread, independent of the load of the machine. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** CPU time in milliseconds that work takes on all threads of this process. */
export async function processCpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The work below took 90 to 148 ms within one day on two cores of an AMD EPYC; limits are for this speed. */
const referenceMs = 120
/** However slow the machine is, work fails that takes this many times its limit. */
const mostTimes = 3

function work(): void {
  for (let round = 0; round < 300; round += 1)
    '<a href="x">y</a> and more'
      .repeat(3000)
      .replaceAll(/<[^>]*>/g, '')
      .split(' ')
}

/** How many times slower than usual this machine is at the moment; the speed of a shared one varies. */
function slowness(): number {
  // The median of three runs, because the first run is slow.
  const [, measured = referenceMs] = Array.from({ length: 3 }, () => cpuMsOf(work)).toSorted(
    (one, other) => one - other,
  )
  return Math.min(mostTimes, Math.max(1, measured / referenceMs))
}

/**
 * CPU time as this machine would take it at its usual speed: the first measurement below the limit, or the least of
 * five, because first runs, and runs beside other work, are slow.
 */
export async function usualCpuMs(limitMs: number, measure: () => number | Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 5 && least >= limitMs; attempt += 1) {
    const ms = await measure()
    // The speed is measured only when it decides the result.
    least = Math.min(least, ms < limitMs ? ms : ms / slowness())
  }
  return least
}
