import type { compileWriting as compile } from './compile-writing.ts'
import { openThreads } from './threads/open-threads.ts'

const thread = openThreads<Parameters<typeof compile>, Awaited<ReturnType<typeof compile>>>(
  new URL('threads/compile-thread.ts', import.meta.url),
  1,
)

/** Like `compileWriting` of `compile-writing.ts`, in a thread. */
export const compileWriting: typeof compile = (...task) => thread.run(task)

/** Loads the compiler, which takes a while, before there is a text to compile. */
export const prepareToCompile = (): void => thread.start()
