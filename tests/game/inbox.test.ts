import { expect, it } from 'vitest'
import { makeInbox } from '../../game-server/sockets/inbox.ts'

function openInbox(onReceive: (text: string) => void = () => {}) {
  const received: string[] = []
  let floods = 0
  const inbox = makeInbox({
    receive(text) {
      received.push(text)
      onReceive(text)
    },
    onFlood: () => void floods++,
  })
  return { inbox, received, floods: () => floods }
}

it('passes messages on in their order, those that arrive during a join after its end', async () => {
  const { inbox, received } = openInbox()
  const join = Promise.withResolvers<void>()
  inbox.take('before')
  inbox.hold(join.promise)
  for (const text of ['first', 'second']) inbox.take(text)
  expect(received).toEqual(['before'])
  join.resolve()
  await expect.poll(() => received).toEqual(['before', 'first', 'second'])
  inbox.take('after')
  expect(received.at(-1)).toBe('after')
})

it('keeps messages waiting when one of those before them begins another join', async () => {
  const second = Promise.withResolvers<void>()
  const { inbox, received } = openInbox((text) => {
    if (text === 'join again') inbox.hold(second.promise)
  })
  inbox.hold(Promise.resolve())
  for (const text of ['join again', 'key']) inbox.take(text)
  await expect.poll(() => received).toEqual(['join again'])
  second.resolve()
  await expect.poll(() => received).toEqual(['join again', 'key'])
})

it('keeps fifty messages during a join, reports more as a flood, and forgets them when the client is gone', async () => {
  const { inbox, received, floods } = openInbox()
  const join = Promise.withResolvers<void>()
  inbox.hold(join.promise)
  for (let sent = 0; sent < 50; sent++) inbox.take('key')
  expect(floods()).toBe(0)
  inbox.take('key')
  expect(floods()).toBe(1)
  inbox.clear()
  join.resolve()
  await new Promise(setImmediate)
  expect(received).toEqual([])
})
