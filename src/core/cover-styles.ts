/** The looks that a cover can have, as posts and buyers name them. */
export const coverStyles = ['editorial-minimal', 'photographic', 'illustration'] as const

/** One of them. */
export type CoverStyle = (typeof coverStyles)[number]
