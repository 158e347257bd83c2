/** `compile-writing.ts`, for prerendered pages. */
declare module 'virtual:compile-writing' {
  export const compileWriting: typeof import('./compile-writing.ts').compileWriting
}
