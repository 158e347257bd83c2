import { askRepeatedly } from './ask-repeatedly.ts'
import { cpuMicros } from './cpu-time.ts'
import type { Measure, Sample } from './row.ts'

const connections = 32
const warmUpMs = 300

/** What `measureLoad` tells of a server. */
export const loadMeasures: readonly Measure[] = [
  { name: 'answers', unit: '/s', digits: 0 },
  { name: 'server CPU per answer', unit: 'µs', digits: 1 },
]

/** Puts a server under load for one round. */
export async function measureLoad(
  { url, pid }: { url: string; pid: number | undefined },
  { status, seconds }: { status: number; seconds: number },
): Promise<Sample> {
  await askRepeatedly({ url, status, connections, ms: warmUpMs })
  const before = cpuMicros(pid)
  const answers = await askRepeatedly({ url, status, connections, ms: seconds * 1000 })
  return { answers: answers / seconds, 'server CPU per answer': (cpuMicros(pid) - before) / answers }
}
