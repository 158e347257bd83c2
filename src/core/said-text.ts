import { redactUrls } from './redact-url.ts'

/** Whether the system refused a file or folder to the user that this runs as. */
const isForAnother = (error: unknown): boolean =>
  error instanceof Error && 'path' in error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')

/**
 * Why a program ends, for who started it: the sentence of an error, not its stack. Addresses in it lose what may be a key,
 * because libraries write the whole address that they asked into their errors.
 */
export const toSaidText = (error: unknown): string =>
  redactUrls(error instanceof Error ? error.message : String(error)) +
  (isForAnother(error) ? '; run this as the user that it belongs to, or give it to the one that runs this (chown)' : '')
