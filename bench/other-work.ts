import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second in proc(5). */
const perSecond = 100

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

interface Times {
  readonly parent: number
  /** Ticks of the process and of its ended children. */
  readonly ticks: number
}

/** Reads `/proc/PID/stat`; the name of the program may contain spaces and parentheses. */
function readTimes(pid: number): Times | undefined {
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  if (fields.length < 15) return undefined
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { parent: Number(fields[1]), ticks }
}

/** Ticks of a process and of all its descendants. */
export const ticksOfTree = (times: ReadonlyMap<number, Times>, pid: number): number =>
  [...times].reduce(
    (all, [child, { parent }]) => (parent === pid ? all + ticksOfTree(times, child) : all),
    times.get(pid)?.ticks ?? 0,
  )

/** Ticks of this process and everything that it started, ended or not. */
function ownTicks(): number {
  const times = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const found = readTimes(Number(name))
        return found ? [[Number(name), found] as const] : []
      }),
  )
  return ticksOfTree(times, process.pid)
}

/** Busy seconds of all processors together, from the first line of `/proc/stat`. */
export function machineCpuSeconds(): number {
  const [user, nice, system, , , irq, softIrq] = (read('/proc/stat').split('\n')[0] ?? '')
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return [user, nice, system, irq, softIrq].reduce<number>((sum, ticks) => sum + (ticks ?? Number.NaN), 0) / perSecond
}

/**
 * Measures how busy other programs keep the machine.
 *
 * @returns a function to call at the end: the mean number of processors that others kept busy since (0.5: half of one);
 * undefined when the system does not tell
 */
export function watchOtherWork(): () => number | undefined {
  const look = () => {
    try {
      return { all: machineCpuSeconds(), own: ownTicks() / perSecond, at: performance.now() }
    } catch {
      return { all: Number.NaN, own: Number.NaN, at: performance.now() }
    }
  }
  const before = look()
  return () => {
    const now = look()
    const seconds = now.all - before.all - (now.own - before.own)
    const busy = seconds / ((now.at - before.at) / 1000)
    return Number.isFinite(busy) ? Math.max(0, busy) : undefined
  }
}
