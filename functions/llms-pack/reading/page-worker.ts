import { FetchFailed } from '../../../src/fetching/fetched.ts'
import { decodeBody } from '../../../src/fetching/read-body.ts'
import { type DocumentTask, notUnderstood, type ReadDocument, type SentDocument, unread } from './document.ts'
import { isPdf } from './is-pdf.ts'
import { readDocument } from './read-document.ts'

/** Returns once the worker runs, so that its start does not count towards the timeout of a page. */
export const begin = (): void => {}

/**
 * Decodes and reads one document. It is decoded here, because a few KB may become megabytes, for which the event loop
 * and the memory of the site are too precious.
 */
export async function read({ encoding, ...sent }: SentDocument): Promise<ReadDocument> {
  if (!encoding) return readDecoded(sent)
  try {
    return await readDecoded({ ...sent, ...(await decodeBody(sent, encoding.names, encoding.maxBytes)) })
  } catch (error) {
    if (error instanceof FetchFailed) return unread(notUnderstood)
    throw error
  }
}

/** The PDF library is large, so it is loaded with the first PDF. */
const readDecoded = async (task: DocumentTask): Promise<ReadDocument> =>
  isPdf(task) ? (await import('./read-pdf.ts')).readPdf(task) : readDocument(task)
