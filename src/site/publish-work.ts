import type { Work } from '../jobs/carry-out.ts'

/** A build that fails, or that this program cannot take, is not tried again before, however often the job runs. */
const retryMs = 60 * 60 * 1000

interface Options {
  /** Builds the site and announces the build; rejects when it does not build. */
  readonly build: (signal: AbortSignal) => Promise<void>
  readonly now: () => number
}

/** What the job `publish` does: builds the site anew once a post is due that waits in the build that is served. */
export function makePublishWork({ build, now }: Options) {
  let nextPostAt: string | undefined
  let tried: { readonly postAt: string; readonly at: number } | undefined

  const work: Work<{ published: boolean; isLate?: true }> = async (signal) => {
    const postAt = nextPostAt
    if (postAt === undefined || Date.parse(postAt) > now()) return { published: false }
    if (tried?.postAt === postAt && now() - tried.at < retryMs) return { published: false, isLate: true }
    tried = { postAt, at: now() }
    await build(signal)
    return { published: true }
  }

  return {
    work,
    /** Tells it when the next post of the build that is served now comes out; nothing when none waits. */
    expect(at: string | undefined): void {
      nextPostAt = at
    },
  }
}
