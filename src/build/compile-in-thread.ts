import type { compileWriting as compile } from './compile-writing.ts'
import { openThreads } from './threads/open-threads.ts'

const thread = openThreads<Parameters<typeof compile>, Awaited<ReturnType<typeof compile>>>(
  new URL('threads/compile-thread.ts', import.meta.url),
  1,
)

const begun = new Map<string, { readonly source: string; readonly compiled: ReturnType<typeof compile> }>()

/** Begins to compile a text that `compileWriting` will be asked for later: loading the compiler takes a while. */
export function beginToCompile(source: string, file: string): void {
  const compiled = thread.run([source, file])
  // Whoever asks for it gets the error.
  compiled.catch(() => {})
  begun.set(file, { source, compiled })
}

/** Like `compileWriting` of `compile-writing.ts`, in a thread. */
export const compileWriting: typeof compile = (source, file) => {
  const early = begun.get(file)
  begun.delete(file)
  return early?.source === source ? early.compiled : thread.run([source, file])
}
