import type { DocumentTask } from './document.ts'

const unnamed: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** Whether the server declares a PDF, or declares no specific type and the body begins like a PDF. */
export function isPdf({ contentType, body }: Pick<DocumentTask, 'contentType' | 'body'>): boolean {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  if (type === 'application/pdf' || type === 'application/x-pdf') return true
  return unnamed.has(type) && Buffer.from(body.subarray(0, 5)).toString('latin1') === '%PDF-'
}
