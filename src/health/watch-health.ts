import type { Finding, NamedFinding } from '../core/finding.ts'
import type { Check } from './check.ts'
import { runCheck } from './run-check.ts'

/** How often due checks are run, so that changes are logged even when nothing requests the findings. */
const tickMs = 5_000
/** How soon a check is repeated that found a problem. */
const againMs = 5_000
/** A worse finding counts once it was made this often in a row, because single responses get lost. */
const looksToBelieve = 3
/** How long a request for findings waits for checks that are running. */
const momentMs = 250
/** How long it waits for checks that have never finished yet. */
const firstMs = 6_000

const rank = { ok: 0, warning: 1, failure: 2 } as const

interface Options {
  readonly checks: readonly Check[]
  /** Called when a part gets better or worse. After the first run of a check, only if it found a problem. */
  readonly onChange: (finding: NamedFinding) => void
  /** Called with the error of a check that threw. */
  readonly report: (error: unknown) => void
}

interface Watched {
  readonly check: Check
  /** The finding that is reported; undefined until the first run has found something. */
  known: Finding | undefined
  /** How often in a row the check found something worse than `known`. */
  worse: number
  dueAt: number
  looking: Promise<void> | undefined
  hasLooked: boolean
  /** Whether the last run threw, which was reported. */
  isBroken: boolean
}

/** A monotonic clock, because the wall clock is itself checked and may be set back. */
const now = (): number => performance.now()

/**
 * Runs the checks of everything that sales need in the background. A request for findings gets recent ones, does not
 * wait for a slow check, and a single lost response changes nothing.
 *
 * @example const health = watchHealth({ checks, onChange, report }); health.start(); await health.findings()
 */
export function watchHealth({ checks, onChange, report }: Options) {
  const parts = checks.map(
    (check): Watched => ({
      ...{ check, known: undefined, worse: 0, dueAt: 0 },
      ...{ looking: undefined, hasLooked: false, isBroken: false },
    }),
  )
  let timer: NodeJS.Timeout | undefined

  function learn(part: Watched, found: Finding | undefined): void {
    const { check, known } = part
    part.hasLooked = true
    part.dueAt = now() + (found?.is === 'ok' ? check.everyMs : Math.min(againMs, check.everyMs))
    if (!found) return
    const isWorse = known !== undefined && rank[found.is] > rank[known.is]
    part.worse = isWorse ? part.worse + 1 : 0
    if (isWorse && part.worse < looksToBelieve) return
    part.worse = 0
    part.known = found
    if (found.is !== (known?.is ?? 'ok')) onChange({ name: check.name, ...found })
  }

  async function look(part: Watched): Promise<void> {
    let isBroken = false
    const found = await runCheck(part.check, (error) => {
      isBroken = true
      if (!part.isBroken) report(error)
    })
    part.isBroken = isBroken
    part.looking = undefined
    learn(part, found)
  }

  /** Starts the due checks that are not running. */
  function lookAround(): void {
    for (const part of parts) if (!part.looking && part.dueAt <= now()) part.looking = look(part)
  }

  const waitFor = async (some: readonly Watched[], mostMs: number): Promise<void> => {
    const looks = some.flatMap(({ looking }) => looking ?? [])
    if (looks.length === 0) return
    let over: NodeJS.Timeout | undefined
    await Promise.race([Promise.all(looks), new Promise((resolve) => (over = setTimeout(resolve, mostMs)))])
    clearTimeout(over)
  }

  return {
    /** The finding for each part, in the order of the checks. Parts without any finding yet are left out. */
    async findings(): Promise<NamedFinding[]> {
      lookAround()
      await Promise.all([
        waitFor(parts, momentMs),
        waitFor(
          parts.filter(({ hasLooked }) => !hasLooked),
          firstMs,
        ),
      ])
      return parts.flatMap(({ check: { name }, known }) => (known ? [{ name, ...known }] : []))
    },

    /** Starts to run the checks in the background. */
    start(): void {
      timer ??= setInterval(lookAround, tickMs).unref()
      lookAround()
    },

    close(): void {
      clearInterval(timer)
    },
  }
}
