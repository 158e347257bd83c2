/** A name as a path segment: its letters and digits (Unicode NFKC), in lower case, joined by hyphens. */
export const toSlug = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.join('-') ?? ''
