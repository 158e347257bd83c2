/** Milliseconds of processor time that work takes this thread, whatever else the machine does. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** What the work below took on the machine on which limits were set: two cores of an AMD EPYC, nothing else running. */
const referenceMs = 120

function work(): void {
  for (let round = 0; round < 300; round += 1)
    '<a href="x">y</a> and more'
      .repeat(3000)
      .replaceAll(/<[^>]*>/g, '')
      .split(' ')
}

/**
 * A limit of processor time as this machine has to keep it right now: a shared one is at times half as fast as it was,
 * and what must not be possible takes ten times as long and not twice.
 *
 * @param ms what is allowed on the machine on which limits were set
 */
export function allowedCpuMs(ms: number): number {
  // What runs first runs slowly.
  const measured = Math.min(...Array.from({ length: 3 }, () => cpuMsOf(work)))
  return ms * Math.max(1, measured / referenceMs)
}
