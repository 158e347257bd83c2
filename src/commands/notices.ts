// `npm run notices`: writes NOTICE again after dependencies or fonts changed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toNotice } from './notices/to-notice.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const file = join(root, 'NOTICE')

/** Whether NOTICE is up to date; prints what to do when it is not. */
export function isNoticeCurrent(): boolean {
  const isCurrent = readFileSync(file, 'utf8') === toNotice(root)
  if (!isCurrent) console.error('NOTICE does not say what is shipped; run `npm run notices` and commit it')
  return isCurrent
}

if (import.meta.main) writeFileSync(file, toNotice(root))
