import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'

/** Reads the settings that the pool hands to each worker. */
function readNiceness(data: unknown): number {
  const settings: unknown = Array.isArray(data) ? data[1] : undefined
  const isObject = typeof settings === 'object' && settings !== null && 'niceness' in settings
  return isObject && typeof settings.niceness === 'number' ? settings.niceness : 0
}

/** Called in a worker as it starts: on Linux its thread alone yields, so that requests come first. */
export function lowerPriority(): void {
  const niceness = readNiceness(workerData)
  if (niceness > 0 && process.platform === 'linux') setPriority(0, niceness)
}
