/** The styles that a cover can have, by the names that posts and buyers use. */
export const coverStyles = ['editorial-minimal', 'photographic', 'illustration'] as const

export type CoverStyle = (typeof coverStyles)[number]
