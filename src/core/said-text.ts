import { redactUrls } from './redact-url.ts'

/** Whether the system refused a file or folder to the user that this runs as. */
const isForAnother = (error: unknown): boolean =>
  error instanceof Error && 'path' in error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')

/** Files have a code for it; SQLite has words. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'ENOSPC') || error.message.endsWith('disk is full'))

/** Of an option that there is not, Node.js also says how to write a file name that looks like one: nobody means that. */
function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isOption = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  return isOption ? `${error.message.split(/(?<=')\. |\n/)[0]}; --help shows how` : error.message
}

/**
 * Why a program ends, for who started it: the sentence of an error, not its stack. Addresses in it lose what may be a key,
 * because libraries write the whole address that they asked into their errors.
 */
export const toSaidText = (error: unknown): string =>
  redactUrls(toMessage(error)) +
  (isForAnother(error)
    ? '; run this as the user that it belongs to, or give it to the one that runs this (chown)'
    : '') +
  (isDiskFull(error) ? '; free some space' : '')
