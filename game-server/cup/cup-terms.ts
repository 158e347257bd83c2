/** Keys of one run. */
export const maxKeys = 1500
/** From the first step of a run to its last. */
export const maxRunMs = 24 * 60 * 60 * 1000
