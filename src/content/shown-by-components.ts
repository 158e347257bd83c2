/** The elements of texts that pages show by components of their own. */
export const shownByComponents = ['h2', 'h3', 'img', 'pre', 'table'] as const
