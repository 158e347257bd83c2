import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

/** The number of tokens of a value as JSON, counted as for gpt-4o and later models. */
export const tokensOf = (value: unknown): number => countTokens(JSON.stringify(value))
