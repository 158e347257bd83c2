import type { DocumentTask, ReadDocument } from './document.ts'
import { isPdf } from './is-pdf.ts'
import { readDocument } from './read-document.ts'

/** Answers once the worker has begun: what that takes is not taken from a page's time. */
export const begin = (): void => {}

/** Reads one document. What reads a PDF is large, and is loaded when there is one. */
export const read = async (task: DocumentTask): Promise<ReadDocument> =>
  isPdf(task) ? (await import('./read-pdf.ts')).readPdf(task) : readDocument(task)
