import type { Work } from '../jobs/carry-out.ts'

/** A build that fails, or that this program cannot take, is not tried again before, however often the job runs. */
const retryMs = 60 * 60 * 1000
/** How long before its time the build with a post is made, so that it only has to be handed over then. */
const leadMs = 10 * 60 * 1000
/** How often the clock is looked at, which may be set. */
const lookEveryMs = 500

interface Options {
  /** Makes the build that will be right at an instant, and leaves it lying; rejects when it does not build. */
  readonly prepare: (signal: AbortSignal, at: string) => Promise<void>
  /** Builds the site, if that is not done, and announces the build; rejects when it does not build. */
  readonly build: (signal: AbortSignal) => Promise<void>
  readonly now: () => number
  /** Rejects when the signal ends it. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/**
 * What the job `publish` does when a post that waits in the build that is served comes out within minutes: builds ahead,
 * waits for the instant, and hands the build over.
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
      // What fails here is tried again at its time.
      prepared = postAt
      await prepare(signal, postAt)
    }
    while (Date.parse(postAt) > now()) {
      // Another build has come, with other posts.
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
    /** Whether there is something to do for it. */
    isNear: (): boolean => nextPostAt !== undefined && isNear(nextPostAt),
    /** Tells it when the next post of the build that is served from now on comes out; nothing when none waits. */
    expect(at: string | undefined): void {
      nextPostAt = at
      tried = undefined
    },
  }
}
