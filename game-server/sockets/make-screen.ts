import { encodeDelta, newView } from '../core/delta.ts'
import { describe } from '../core/describe.ts'
import { observe } from '../core/observe.ts'
import type { GameEvent } from '../core/step.ts'
import type { Session, Viewer } from '../realms/realm.ts'

export type Form = 'text' | 'json' | 'both' | 'delta'

const keptEvents = 50

/** How a socket shows its session: deltas pushed at each change; or text or fields when asked, which is cheaper. */
export interface Screen {
  readonly form: Form
  /** Shows the result of an input. */
  answer(ack: number): void
  /** Shows the state after a join. */
  begin(): void
  /** Shows the whole state again. */
  refresh(ack: number): void
  /** Whether something was shown since `seq`, or waits to be shown. */
  hasNewsSince(seq: number): boolean
  close(): void
}

export function makeScreen(session: Session, form: Form, send: (frame: string) => void): Screen {
  return form === 'delta' ? makePushedScreen(session, send) : makeAskedScreen(session, form, send)
}

function makePushedScreen(session: Session, send: (frame: string) => void): Screen {
  const { realm, player } = session
  let view = newView()
  let events: GameEvent[] = []
  const show = (options?: { ack?: number; type?: 'snapshot' }): void => {
    const frame = encodeDelta(realm.world, player, view, events, options)
    events = []
    realm.awake.delete(viewer)
    if (frame !== undefined) send(frame)
  }
  const viewer: Viewer = {
    wake(seen) {
      if (events.length < keptEvents) events.push(...seen)
    },
    flush: () => show(),
  }
  session.viewers.add(viewer)
  session.isPushed = true
  // The snapshot shows the present state, so earlier messages are not needed any more.
  session.messages = []
  const refresh = (ack: number): void => {
    const { seq } = view
    view = newView()
    view.seq = seq
    show({ ack, type: 'snapshot' })
  }
  return {
    form: 'delta',
    answer: (ack) => show({ ack }),
    begin: () => refresh(0),
    refresh,
    hasNewsSince(seq) {
      // Gathered events may turn out to be invisible to this player; only `show` can tell.
      if (realm.awake.has(viewer)) show()
      return seq !== view.seq
    },
    close() {
      session.viewers.delete(viewer)
      session.isPushed = false
      realm.awake.delete(viewer)
    },
  }
}

function makeAskedScreen(session: Session, form: Exclude<Form, 'delta'>, send: (frame: string) => void): Screen {
  const { realm, player } = session
  let seq = 0
  const show = (ack: number, full: boolean): void => {
    const { messages } = session
    session.messages = []
    seq++
    const head = { type: 'obs', seq, ack }
    const text = form === 'json' ? {} : { text: describe(realm.world, player, messages, { full }) }
    const fields = form === 'text' ? {} : observe(realm.world, player, messages)
    send(JSON.stringify({ ...head, ...text, ...fields }))
  }
  return {
    form,
    answer: (ack) => show(ack, false),
    begin: () => show(0, false),
    refresh: (ack) => show(ack, true),
    hasNewsSince: (since) => since !== seq || session.messages.length > 0,
    close() {},
  }
}
