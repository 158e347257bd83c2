/** Makes a sentence of an error message of the host, which has neither capital nor full stop: programs read it, too. */
export const toSentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
