import { askRepeatedly } from './ask-repeatedly.ts'
import { cpuMicros } from './cpu-time.ts'
import type { Measure, Sample } from './row.ts'
import type { Server } from './server.ts'

const connections = 32
const warmUpMs = 300

/** The measures of `measureLoad`. */
export const loadMeasures: readonly Measure[] = [
  { name: 'answers', unit: '/s', digits: 0 },
  { name: 'server CPU per answer', unit: 'µs', digits: 1 },
]

interface Load {
  readonly path: string
  /** The status that every response must have. */
  readonly status: number
  readonly seconds: number
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent with POST when present. */
  readonly body?: string
}

/** Puts a server under load for one round. */
export async function measureLoad({ origin, pid }: Server, { path, seconds, ...asked }: Load): Promise<Sample> {
  const wish = { urls: [origin + path], connections, ...asked }
  await askRepeatedly({ ...wish, ms: warmUpMs })
  const before = cpuMicros(pid)
  const { answers, ...measured } = await askRepeatedly({ ...wish, ms: seconds * 1000 })
  return { answers: answers / measured.seconds, 'server CPU per answer': (cpuMicros(pid) - before) / answers }
}
