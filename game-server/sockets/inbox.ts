/** How many messages may wait while a join is under way. */
const maxWaiting = 50

interface Options {
  /** Handles one message. */
  readonly receive: (text: string) => void
  /** Called when too many messages wait. */
  readonly onFlood: () => void
}

/** Passes the messages of a client on in their order; those that arrive while a join is under way wait for its end. */
export function makeInbox({ receive, onFlood }: Options) {
  let isHeld = false
  let waiting: string[] = []

  function receiveWaiting(): void {
    isHeld = false
    while (!isHeld) {
      const text = waiting.shift()
      if (text === undefined) return
      receive(text)
    }
  }

  return {
    take(text: string): void {
      if (!isHeld) receive(text)
      else if (waiting.length < maxWaiting) waiting.push(text)
      else onFlood()
    },
    /** Messages that arrive from now on wait until `work` has ended, which must not reject. */
    hold(work: Promise<void>): void {
      isHeld = true
      void work.finally(receiveWaiting)
    },
    /** Forgets the messages that wait; call it when the client is gone. */
    clear(): void {
      waiting = []
    },
  }
}
