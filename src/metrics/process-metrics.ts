import { makeEventLoopDelays } from '../core/event-loop-delays.ts'
import { makeGauge, makeGauges } from './gauge.ts'
import type { Metric } from './metric.ts'

/** Memory, processor time and event loop delay of this process, by the names that dashboards for Node.js use. */
export function openProcessMetrics(): { readonly metrics: readonly Metric[]; close(): void } {
  const delays = makeEventLoopDelays()
  delays.start()
  const startedAt = Math.round(performance.timeOrigin / 1000)
  const memory = { name: 'process_resident_memory_bytes', help: 'Resident memory.' }
  const heap = { name: 'process_heap_bytes', help: 'The heap of JavaScript in use.' }
  const cpu = { name: 'process_cpu_seconds_total', help: 'Processor time, of the program and of the system for it.' }
  const started = { name: 'process_start_time_seconds', help: 'When the program was started, in Unix seconds.' }
  const lag = {
    name: 'farthing_event_loop_delay_seconds',
    help: 'How long turns waited since the last look, by quantile.',
  }
  return {
    metrics: [
      makeGauge(memory, () => process.memoryUsage.rss()),
      makeGauge(heap, () => process.memoryUsage().heapUsed),
      { ...cpu, type: 'counter', read: () => [{ labels: {}, value: toSeconds(process.cpuUsage()) }] },
      makeGauge(started, () => startedAt),
      makeGauges(lag, 'quantile', () => {
        const read = (['0.5', '0.99', '1'] as const).map(
          (quantile) => [quantile, delays.quantileMs(Number(quantile)) / 1000] as const,
        )
        delays.reset()
        return read
      }),
    ],
    close: delays.close,
  }
}

const toSeconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6
