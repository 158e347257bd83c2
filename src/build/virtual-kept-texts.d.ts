/** `kept-texts.ts`, for prerendered pages. */
declare module 'virtual:kept-texts' {
  export const keptTexts: typeof import('./kept-texts.ts').keptTexts
}
