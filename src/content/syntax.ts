import type { Features } from 'satteri'

/** The syntax of posts and pages beyond the parser's defaults. */
export const features = { math: { singleDollarTextMath: false } } as const satisfies Features
