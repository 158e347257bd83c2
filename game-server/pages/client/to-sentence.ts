/** What the host says no with, as people read it: it begins small and has no full stop, because programs read it, too. */
export const toSentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
