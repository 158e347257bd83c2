/**
 * How glibc keeps the memory of our programs small: threads share one arena, what is freed at the end of it goes back at
 * once, and blocks like those that V8 compiles in (32 KB) and TLS reads into (16 KB) lie apart from it and go back
 * wherever they were, or each crowd of them would leave up to 18 MB of holes. The units and the image say the same.
 */
export const smallMemory = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '16384',
} as const

/**
 * An option of Node.js for the site and its workers: V8 lets room for young objects grow to two halves of 64 MB under
 * load and does not give it back. In 4 MB a purchase takes no more processor time. The commands that start the site in
 * `deploy` say the same.
 */
export const smallYoungGeneration = '--max-semi-space-size=4'

/** A sentence for people when a machine has less memory left than something takes; both in bytes. */
export function toMemoryWarning(what: string, neededBytes: number, availableBytes: number): string | undefined {
  if (availableBytes >= neededBytes) return undefined
  const mb = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MB`
  return `${what} takes about ${mb(neededBytes)} of memory, and ${mb(availableBytes)} are left here: it may be killed, or be slow with swap`
}

const mb = 1024 ** 2
/** The build of a thousand posts as it was seen; both programs, with one sale at a time, as tests hold them to it. */
export const neededBytes = { build: 1200 * mb, programs: 512 * mb } as const

const fewPosts = 1000
/** As it was seen with 20,000 posts: 2.5 GB. */
const bytesPerPost = 72 * 1024

/** What the build of so many posts takes, in bytes. */
export const toBuildBytes = (posts: number): number => neededBytes.build + Math.max(0, posts - fewPosts) * bytesPerPost
