import type { Finding, NamedFinding } from '../core/finding.ts'
import type { Check } from './check.ts'
import { runCheck } from './run-check.ts'

/** How often it is looked whether a check is due; only then does the log hear of changes that nobody asks for. */
const tickMs = 5_000
/** What was not found in order is looked at again this soon. */
const againMs = 5_000
/** A finding that is worse than before counts when it was made this often in a row: answers get lost. */
const looksToBelieve = 3
/** Who asks waits so long for what is being looked at, */
const momentMs = 250
/** and so long for what nobody has looked at yet. */
const firstMs = 6_000

const rank = { ok: 0, warning: 1, failure: 2 } as const

interface Options {
  readonly checks: readonly Check[]
  /** Told when a part is found to be better or worse than it was; of the first look only what is not in order. */
  readonly onChange: (finding: NamedFinding) => void
  /** Told why a check broke. */
  readonly report: (error: unknown) => void
}

interface Watched {
  readonly check: Check
  /** What is told; undefined until the first look has shown something. */
  known: Finding | undefined
  /** How often in a row it was found worse than what is told. */
  worse: number
  dueAt: number
  looking: Promise<void> | undefined
  hasLooked: boolean
  /** Whether the last look broke, and was reported. */
  isBroken: boolean
}

/** Not the clock of the wall, which is among what is looked at and may be set back. */
const now = (): number => performance.now()

/**
 * Looks at everything that sales need, again and again and never in the way of who asks: what is told was found a moment
 * ago, a look that takes long is waited for by nobody, and one lost answer changes nothing.
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

  /** Begins what is due, unless it is under way. */
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
    /** What is known of each part, in the order of the checks; what could never be looked at is left out. */
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

    /** From now on it looks by itself. */
    start(): void {
      timer ??= setInterval(lookAround, tickMs).unref()
      lookAround()
    },

    close(): void {
      clearInterval(timer)
    },
  }
}
