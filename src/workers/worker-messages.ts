/** What a worker process is asked for: a function of its module, and what it is given. */
export interface WorkerTask {
  readonly name: string
  readonly task: unknown
}

/** What it answers, and says of its work before. */
export type WorkerReply =
  | { readonly is: 'doing'; readonly what: string }
  | { readonly is: 'made'; readonly made: unknown }
  | { readonly is: 'failed'; readonly error: Error }
