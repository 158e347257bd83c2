/** What a collection names its texts by. */
interface Named {
  readonly id: string
}

/**
 * By the numbers of their characters. Collections come in an order of words, which follows the language that the machine
 * is set to, so that two machines would build different sites of the same texts.
 */
export const byId = ({ id: one }: Named, { id: other }: Named): number => (one < other ? -1 : one > other ? 1 : 0)
