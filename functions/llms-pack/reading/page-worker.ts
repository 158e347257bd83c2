import { FetchFailed } from '../../../src/fetching/fetched.ts'
import { decodeBody } from '../../../src/fetching/read-body.ts'
import { type DocumentTask, notUnderstood, type ReadDocument, type SentDocument, unread } from './document.ts'
import { isPdf } from './is-pdf.ts'
import { readDocument } from './read-document.ts'

/** Returns once the worker runs, so that its start does not count towards the timeout of a page. */
export const begin = (): void => {}

/**
 * Decodes and reads one document. Here and not in the site, whose event loop and memory would have to take the some MB
 * to which a few KB may decode.
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
