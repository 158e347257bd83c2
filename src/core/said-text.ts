import { redactUrls } from './redact-url.ts'

/**
 * Why a program ends, for who started it: the sentence of an error, not its stack. Addresses in it lose what may be a key,
 * because libraries write the whole address that they asked into their errors.
 */
export const toSaidText = (error: unknown): string => redactUrls(error instanceof Error ? error.message : String(error))
