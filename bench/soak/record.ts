/** The memory of one process at one moment, in KB. */
export interface MemorySample {
  readonly second: number
  readonly program: string
  /** Number of the process, counting restarts of the program. */
  readonly life: number
  readonly rss: number
  /** Proportional set size: private memory plus its share of shared pages; absent when the system does not tell. */
  readonly pss?: number
}

export interface Failure {
  readonly second: number
  readonly what: string
}

export interface Restart {
  readonly second: number
  readonly program: string
  readonly stopMs: number
  readonly startMs: number
}

export interface Build {
  readonly second: number
  readonly buildMs: number
  /** From the end of the build until every running site showed the change. */
  readonly shownMs: number
}

/** The waits of the requests of one minute. */
export interface Minute {
  readonly minute: number
  readonly waitsMs: number[]
}

/** Everything that was seen so far. */
export interface SoakRecord {
  readonly startedAt: string
  readonly plannedMinutes: number
  readonly machine: string
  seconds: number
  isOver: boolean
  readonly requests: Record<string, number>
  readonly sales: Record<string, number>
  /** Price of everything delivered, in micro-USD. */
  spentMicros: string
  /** Responses that asked a buyer to try again later. */
  invitations: number
  redeliveries: number
  readonly failures: Failure[]
  readonly restarts: Restart[]
  readonly builds: Build[]
  readonly player: { keys: number; lives: number; resumed: number }
  readonly minutes: Minute[]
  readonly memory: MemorySample[]
}

const count = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1
}

/** Opens an empty record, with functions that write into it; failures are also printed at once. */
export function openRecord(plannedMinutes: number, machine: string, say: (line: string) => void) {
  let from = performance.now()
  const second = (): number => Math.round((performance.now() - from) / 1000)
  const record: SoakRecord = {
    startedAt: new Date().toISOString(),
    plannedMinutes,
    machine,
    seconds: 0,
    isOver: false,
    requests: {},
    sales: {},
    spentMicros: '0',
    invitations: 0,
    redeliveries: 0,
    failures: [],
    restarts: [],
    builds: [],
    player: { keys: 0, lives: 0, resumed: 0 },
    minutes: [],
    memory: [],
  }
  return {
    record,
    second,
    /** Starts the clock of the record when the load begins. */
    begin(): void {
      from = performance.now()
    },
    fail(what: string): void {
      record.failures.push({ second: second(), what })
      say(`after ${second()} s FAILED: ${what}`)
    },
    /** Records one request and its wait, whatever its response. */
    request(kind: string, waitMs: number): void {
      count(record.requests, kind)
      const minute = Math.floor(second() / 60)
      const last = record.minutes.at(-1)
      if (last?.minute === minute) last.waitsMs.push(Math.round(waitMs))
      else record.minutes.push({ minute, waitsMs: [Math.round(waitMs)] })
    },
    sale(name: string, micros: bigint): void {
      count(record.sales, name)
      record.spentMicros = String(BigInt(record.spentMicros) + micros)
    },
  }
}

export type OpenRecord = ReturnType<typeof openRecord>
