import type { DocumentTask, SentDocument } from './document.ts'

const unnamed: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

const typeOf = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase()

/** Whether the server declares a PDF, or declares no specific type and the body begins like a PDF. */
export function isPdf({ contentType, body }: Pick<DocumentTask, 'contentType' | 'body'>): boolean {
  const type = typeOf(contentType)
  if (type === 'application/pdf' || type === 'application/x-pdf') return true
  return unnamed.has(type) && Buffer.from(body.subarray(0, 5)).toString('latin1') === '%PDF-'
}

/** Whether a document is a PDF, or cannot be told from one before it is decoded. */
export const mayBePdf = (sent: SentDocument): boolean =>
  isPdf(sent) || (sent.encoding !== undefined && unnamed.has(typeOf(sent.contentType)))
