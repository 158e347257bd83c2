/** A task for a worker process: the name of a function of its module, and its argument. */
export interface WorkerTask {
  readonly name: string
  readonly task: unknown
}

/** Messages of a worker: progress (`doing`), and then the result (`made`) or an error. */
export type WorkerReply =
  | { readonly is: 'doing'; readonly what: string }
  | { readonly is: 'made'; readonly made: unknown }
  | { readonly is: 'failed'; readonly error: Error }
