/** Made by the static-manifest integration from `src/buyer/`; see `buyer-bundle.ts`. */
declare module 'virtual:buyer-bundle' {
  /** Hexadecimal SHA-256 of `/buy.mjs`. */
  export const sha256: string
  /** Size of `/buy.mjs` in bytes. */
  export const bytes: number
}
