/** What a worker process is asked for: a function of its module, and what it is given. */
export interface WorkerTask {
  readonly name: string
  readonly task: unknown
}

/** What it answers. */
export type WorkerReply =
  | { readonly is: 'made'; readonly made: unknown }
  | { readonly is: 'failed'; readonly error: Error }
