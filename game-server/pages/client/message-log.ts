import { makeElement } from '../../../src/browser/make-element.ts'

const longest = 80

/** One line of the log. */
export interface Message {
  /** The kind of event, such as `hurt`; it becomes the line's class. */
  readonly kind: string
  readonly text: string
}

/** The message log, the newest line last. Repeated messages are counted, not repeated. */
export function makeMessageLog(log: HTMLElement): { add: (messages: readonly Message[]) => void; clear: () => void } {
  let last: (Message & { times: number; line: HTMLElement }) | undefined

  function addOne({ kind, text }: Message): void {
    if (last?.text === text && last.kind === kind) {
      last.times += 1
      last.line.textContent = `${text} ×${last.times}`
      last.line.classList.add('recent')
      return
    }
    last = { kind, text, times: 1, line: makeElement('p', `${kind} recent`, text) }
    log.append(last.line)
  }

  return {
    add(messages) {
      if (messages.length === 0) return
      // The messages of the latest move are highlighted.
      for (const line of log.querySelectorAll('.recent')) line.classList.remove('recent')
      for (const message of messages) addOne(message)
      while (log.childElementCount > longest) log.firstElementChild?.remove()
      log.scrollTop = log.scrollHeight
    },
    clear() {
      log.replaceChildren()
      last = undefined
    },
  }
}
