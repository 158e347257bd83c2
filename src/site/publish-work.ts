import type { Work } from '../jobs/carry-out.ts'

/**
 * A build that fails, or that this program cannot serve, is not tried again for this long, however often the job runs.
 */
const retryMs = 60 * 60 * 1000
/** How long before the publication of a post its build is made, so that it only has to be switched to then. */
const leadMs = 10 * 60 * 1000
/** The interval for checking the clock, because the system clock may be set. */
const lookEveryMs = 500

interface Options {
  /** Makes the build for a future instant without announcing it; rejects when the build fails. */
  readonly prepare: (signal: AbortSignal, at: string) => Promise<void>
  /** Builds the site, unless that is done already, and announces the build; rejects when the build fails. */
  readonly build: (signal: AbortSignal) => Promise<void>
  readonly now: () => number
  /** Rejects when the signal ends it. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/**
 * Makes the work of the job `publish`. When a post of the served build is due within minutes, it builds ahead, waits
 * for the instant, and announces the build.
 */
export function makePublishWork({ prepare, build, now, wait }: Options) {
  let nextPostAt: string | undefined
  let prepared: string | undefined
  let tried: { readonly postAt: string; readonly at: number } | undefined

  const isNear = (postAt: string): boolean => Date.parse(postAt) - leadMs <= now()

  const work: Work<{ published: boolean; isLate?: true }> = async (signal) => {
    const postAt = nextPostAt
    if (postAt === undefined || !isNear(postAt)) return { published: false }
    if (Date.parse(postAt) > now() && prepared !== postAt) {
      // Set before the attempt: after a failure the build is only tried again when the post is due.
      prepared = postAt
      await prepare(signal, postAt)
    }
    while (Date.parse(postAt) > now()) {
      // Another build is served meanwhile, with other posts.
      if (nextPostAt !== postAt) return { published: false }
      await wait(Math.min(lookEveryMs, Date.parse(postAt) - now()), signal)
    }
    if (tried?.postAt === postAt && now() - tried.at < retryMs) return { published: false, isLate: true }
    tried = { postAt, at: now() }
    await build(signal)
    return { published: true }
  }

  return {
    work,
    /** Whether the job has something to do now. */
    isNear: (): boolean => nextPostAt !== undefined && isNear(nextPostAt),
    /** Call it with the time of the next post of the build that is served from now on; undefined when none waits. */
    expect(at: string | undefined): void {
      nextPostAt = at
      tried = undefined
    },
  }
}
