/** An entry of a collection. */
interface Named {
  readonly id: string
}

/**
 * Compares ids by code units. Astro sorts collections by the locale of the machine, with which two machines would build
 * different sites from the same texts.
 */
export const byId = ({ id: one }: Named, { id: other }: Named): number => (one < other ? -1 : one > other ? 1 : 0)
