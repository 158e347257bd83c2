/** Makes a sentence of the host's error messages, which have no capital and no full stop, because programs read them. */
export const toSentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
