/**
 * Settings of glibc malloc that keep the memory of our programs small. Threads share one arena; free memory at the end
 * of the heap returns to the system once it is 1 MB; and blocks of 64 KB or more, such as those of the V8 compiler, are
 * mapped separately and returned wherever they were. Without this, each burst of them leaves up to 18 MB of holes.
 *
 * Memory that is returned must be cleared by the system when it is needed again. With smaller limits, or those of glibc
 * itself, that happens for every sale: 250 pages, a third of its processor time (measured on 2026-11-29). The systemd
 * units, the container image and `npm start` have the same settings.
 */
export const smallMemory = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '1048576',
  MALLOC_MMAP_THRESHOLD_: '65536',
} as const

/**
 * The settings of malloc for the game host. Where Linux has large pages for programs that ask for them, the heap asks:
 * one of 2 MB comes sooner than 512 small ones. The host starts in nine tenths of the time and keeps 2 MB more, 86 of
 * the 100 MB that it is promised to keep. The site kept up to 131 of its 130 with this, so it does not ask.
 */
export const gameMemory = { ...smallMemory, GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' } as const

/**
 * Settings of glibc malloc for processes that make pictures, sound and documents and end when there is no more work.
 * They keep what they free for the next piece of the work: mapped anew and cleared by the system each time, buffers of
 * some MB took two thirds of the time of drawing a cover.
 */
export const workerMemory = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '67108864',
  MALLOC_MMAP_THRESHOLD_: '33554432',
} as const

/**
 * An option of Node.js for the site and its workers: under load, V8 lets the space for young objects grow to two halves
 * of 64 MB and does not give it back. With 4 MB a purchase takes no more CPU time. The commands that start the site in
 * `deploy` have the same option.
 */
export const smallYoungGeneration = '--max-semi-space-size=4'

/** A warning for people when a machine has less memory available than a task needs, else undefined; both in bytes. */
export function toMemoryWarning(what: string, neededBytes: number, availableBytes: number): string | undefined {
  if (availableBytes >= neededBytes) return undefined
  const mb = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MB`
  return `${what} takes about ${mb(neededBytes)} of memory, and ${mb(availableBytes)} are left here: it may be killed, or be slow with swap`
}

const mb = 1024 ** 2
/**
 * Measured memory of a build of 1,000 posts, and of both programs with one sale at a time, which tests hold them to.
 */
export const neededBytes = { build: 1200 * mb, programs: 512 * mb } as const

const fewPosts = 1000
/** Measured with 20,000 posts: 2.5 GB. */
const bytesPerPost = 72 * 1024

/** The memory that a build of this many posts needs, in bytes. */
export const toBuildBytes = (posts: number): number => neededBytes.build + Math.max(0, posts - fewPosts) * bytesPerPost
