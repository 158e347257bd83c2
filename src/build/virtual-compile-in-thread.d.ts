/** `compile-in-thread.ts`, for prerendered pages. */
declare module 'virtual:compile-in-thread' {
  export const compileWriting: typeof import('./compile-in-thread.ts').compileWriting
}
