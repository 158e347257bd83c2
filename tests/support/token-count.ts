import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

/** Tokens of a value as JSON, as gpt-4o and its successors count them. */
export const tokensOf = (value: unknown): number => countTokens(JSON.stringify(value))
