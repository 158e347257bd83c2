import type { Features } from 'satteri'

/** The syntax of posts and pages beside what their parser knows by itself. */
export const features = { math: { singleDollarTextMath: false } } as const satisfies Features
