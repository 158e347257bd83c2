import { redactUrls } from './redact-url.ts'

/** Whether the system denied the user of this process access to a file or folder. */
const isForAnother = (error: unknown): boolean =>
  error instanceof Error && 'path' in error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')

/** Whether the disk is full. The file system reports it by an error code, SQLite only in its message. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'ENOSPC') || error.message.endsWith('disk is full'))

/**
 * The message of an error. For an unknown option of a command, Node.js adds how to pass a file name that looks like an
 * option; that part is cut off, because it only confuses.
 */
function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isOption = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  return isOption ? `${error.message.split(/(?<=')\. |\n/)[0]}; --help shows how` : error.message
}

/**
 * Why a program ends, for the person who started it: the message of the error, without its stack. What may be a key is
 * removed from URLs, because libraries write the whole URL into their errors.
 */
export const toSaidText = (error: unknown): string =>
  redactUrls(toMessage(error)) +
  (isForAnother(error)
    ? '; run this as the user that it belongs to, or give it to the one that runs this (chown)'
    : '') +
  (isDiskFull(error) ? '; free some space' : '')
