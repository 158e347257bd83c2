/** `search-handover.ts`, for prerendered pages. */
declare module 'virtual:search-handover' {
  export const searchHandover: typeof import('./search-handover.ts').searchHandover
}
