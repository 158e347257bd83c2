import { makeMentionStore } from '../mentions/mention-store.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

const answers = new Map<string, 'approved' | 'refused'>([
  ['approve', 'approved'],
  ['refuse', 'refused'],
])

/** `mentions`: lists mentions, or decides about one. @throws Error with one sentence */
export async function orderMentions({
  db,
  words,
}: {
  readonly db: LedgerDatabase
  readonly words: readonly string[]
}): Promise<string> {
  const store = makeMentionStore(db)
  const [answer, id, ...more] = words
  if (answer === undefined) {
    const mentions = await store.list(['pending', 'approved'])
    if (mentions.length === 0) return 'no other site mentions a post'
    return mentions
      .map((mention) => [mention.state, mention.id, mention.target, mention.source, mention.author ?? '-'].join('\t'))
      .join('\n')
  }
  const state = answers.get(answer)
  if (state === undefined || id === undefined || more.length > 0)
    throw new Error('write mentions, mentions approve ID or mentions refuse ID')
  if (!(await store.decide(id, state)))
    throw new Error(`there is no mention ${id}; npm run operator -- mentions lists them`)
  return state === 'approved' ? 'it is shown below the post' : 'it is not shown, and cannot be sent again'
}
