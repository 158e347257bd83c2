import type { DocumentTask } from './document.ts'

const unnamed: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** Whether its server calls it a PDF, or calls it nothing and it begins like one. */
export function isPdf({ contentType, body }: Pick<DocumentTask, 'contentType' | 'body'>): boolean {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  if (type === 'application/pdf' || type === 'application/x-pdf') return true
  return unnamed.has(type) && Buffer.from(body.subarray(0, 5)).toString('latin1') === '%PDF-'
}
