/** What every search takes, whoever asks: characters of the query, and how many results. */
export const searchBounds = { minLength: 2, maxLength: 256, maxLimit: 50, usualLimit: 10 } as const
