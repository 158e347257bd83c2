import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** Length of the soak test and frequency of its events. Periods are in minutes. */
export interface SoakOptions {
  readonly minutes: number
  readonly restartEvery: number
  readonly buildEvery: number
  readonly mediaEvery: number
  /** Warm-up of each process, before its memory counts. */
  readonly warmUp: number
  readonly requestsPerSecond: number
  readonly secondsPerSale: number
  /** Folder of the record, the summary and the logs of the programs. */
  readonly out: string
}

const defaults = {
  minutes: 120,
  'restart-every': 30,
  'build-every': 10,
  'media-every': 5,
  'warm-up': 5,
  'requests-per-second': 2,
  'seconds-per-sale': 5,
}

/**
 * Parses `--minutes 6 --restart-every 2 …`.
 *
 * @throws Error that names an option whose value is not a positive number
 */
export function readSoakOptions(args: readonly string[]): SoakOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: text,
      'restart-every': text,
      'build-every': text,
      'media-every': text,
      'warm-up': text,
      'requests-per-second': text,
      'seconds-per-sale': text,
      out: text,
    },
  })
  const figure = (name: keyof typeof defaults): number => {
    const value = Number(values[name] ?? defaults[name])
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0`)
    return value
  }
  return {
    minutes: figure('minutes'),
    restartEvery: figure('restart-every'),
    buildEvery: figure('build-every'),
    mediaEvery: figure('media-every'),
    warmUp: figure('warm-up'),
    requestsPerSecond: figure('requests-per-second'),
    secondsPerSale: figure('seconds-per-sale'),
    out: values.out ?? join(fileURLToPath(new URL('../../', import.meta.url)), '.data-soak'),
  }
}
