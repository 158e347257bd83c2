import autocannon from 'autocannon'
import { cpuMicros } from './cpu-time.ts'
import type { Measure, Sample } from './row.ts'

const connections = 32
const warmUpSeconds = 0.5

/** What `measureLoad` tells of a server. */
export const loadMeasures: readonly Measure[] = [
  { name: 'answers', unit: '/s', digits: 0 },
  { name: 'server CPU per answer', unit: 'µs', digits: 1 },
]

/** @throws Error when the server answers anything but the expected status, or not at all */
export async function measureLoad(
  { url, pid }: { url: string; pid: number | undefined },
  { status, seconds }: { status: number; seconds: number },
): Promise<Sample> {
  await autocannon({ url, connections, duration: warmUpSeconds })
  const before = cpuMicros(pid)
  const { requests, errors, statusCodeStats } = await autocannon({ url, connections, duration: seconds })
  const used = cpuMicros(pid) - before
  const answered = statusCodeStats?.[`${status}` as const]?.count ?? 0
  if (errors > 0 || answered !== requests.total)
    throw new Error(`${url} should answer ${status}: ${errors} errors, ${JSON.stringify(statusCodeStats)}`)
  return { answers: requests.total / seconds, 'server CPU per answer': used / requests.total }
}
