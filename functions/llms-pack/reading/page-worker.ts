import type { DocumentTask, ReadDocument } from './document.ts'
import { isPdf } from './is-pdf.ts'
import { readDocument } from './read-document.ts'

/** Returns once the worker runs, so that its start does not count towards the timeout of a page. */
export const begin = (): void => {}

/** Reads one document. The PDF library is large, so it is loaded with the first PDF. */
export const read = async (task: DocumentTask): Promise<ReadDocument> =>
  isPdf(task) ? (await import('./read-pdf.ts')).readPdf(task) : readDocument(task)
