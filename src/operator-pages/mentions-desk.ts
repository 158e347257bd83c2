import { type Html, html } from '../core/html.ts'
import type { NodeHandle, Route } from '../http/route.ts'
import type { Mention, MentionStore } from '../mentions/mention-store.ts'
import { sendDesk, sendOn, toPage } from './frame.ts'
import type { Asked, OperatorDoor } from './operator-door.ts'
import { formToken, moment, notice, table } from './parts.ts'

interface Options {
  readonly door: Pick<OperatorDoor, 'page' | 'act'>
  readonly store: Pick<MentionStore, 'list' | 'decide'>
  /** Called when the shown mentions have changed. */
  readonly changed: () => Promise<void>
}

const answers = { approve: 'approved', refuse: 'refused' } as const
const isAnswer = (text: string): text is keyof typeof answers => Object.hasOwn(answers, text)

const toButton = ({ id, host }: Mention, answer: keyof typeof answers, token: string): Html =>
  html`<form method="post" action="/operator/mentions">${formToken(token)}<input type="hidden" name="id" value="${id}"><input type="hidden" name="answer" value="${answer}"><button class="small quiet">${answer === 'approve' ? 'Approve' : 'Refuse'}<span class="unseen"> the mention of ${host}</span></button></form>`

const toTable = (title: string, mentions: readonly Mention[], buttons: (mention: Mention) => readonly Html[]): Html =>
  html`<h2>${title}</h2>
${
  mentions.length === 0
    ? html`<p class="fine">None.</p>`
    : table(
        title,
        ['Page', 'Author', 'Mentions', 'Since (UTC)', 'Do'],
        mentions.map((mention) => [
          // The full URL, because the operator decides on that page.
          html`<a href="${mention.source}" rel="nofollow noopener noreferrer">${mention.source}</a>`,
          mention.author ?? '–',
          html`<a href="${mention.target}">${mention.target}</a>`,
          moment(mention.received_at),
          buttons(mention),
        ]),
      )
}`

/** `/operator/mentions`: approve or refuse pages of other sites that are shown below the posts that they mention. */
export function makeMentionsDesk({ door, store, changed }: Options): Route<NodeHandle> {
  async function show({ session: { token }, res }: Asked, said?: string): Promise<void> {
    const [pending, shown] = await Promise.all([store.list(['pending']), store.list(['approved'])])
    const both = (mention: Mention) => [toButton(mention, 'approve', token), toButton(mention, 'refuse', token)]
    const body = html`${notice(said)}
<p>Pages that link to a post. Look at a page before you approve it: it is shown below the post, with a link.</p>
${toTable('To be decided', pending, both)}
${toTable('Shown', shown, (mention) => [toButton(mention, 'refuse', token)])}`
    const page = toPage({ title: 'Mentions', place: '/operator/mentions', token, body })
    sendDesk(res, page, { status: said === undefined ? 200 : 422 })
  }

  async function decide(asked: Asked): Promise<void> {
    const answer = asked.fields.get('answer') ?? ''
    if (!isAnswer(answer) || !(await store.decide(asked.fields.get('id') ?? '', answers[answer]))) {
      await show(asked, 'Nothing was changed: there is no such mention any more.')
      return
    }
    await changed()
    sendOn(asked.res, '/operator/mentions')
  }

  return { path: '/operator/mentions', handlers: { GET: door.page((asked) => show(asked)), POST: door.act(decide) } }
}
