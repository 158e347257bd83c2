/** `src/build/covers.ts`, run as it is beside the pages' bundle: it starts worker threads from source files. */
declare module 'virtual:site-images' {
  export const getPostImages: typeof import('./covers.ts').getPostImages
  export const getSiteImages: typeof import('./covers.ts').getSiteImages
}
