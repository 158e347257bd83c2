import { type DocumentTask, readDocument } from './read-document.ts'

/** Answers once the worker has begun: what that takes is not taken from a page's time. */
export const begin = (): void => {}

/** Reads one document. */
export const read = (task: DocumentTask) => readDocument(task)
