import { expect, it } from 'vitest'
import { subjectOf } from '../../src/images/covers/choose-scene.ts'

it.each([
  ['Who owns a river that has changed its mind?', '', 'sea'],
  ['The glacier that forgot to stop', '', 'mountain'],
  ['On the quiet lives of old trees', '', 'forest'],
  ['What the night market taught me about money', '', 'city'],
  ['A protocol for paying machines', '', 'space'],
  ['Seven ways to say no', 'Mostly learned on a boat.', 'sea'],
  ['Seven ways to say no', '', undefined],
])('takes the subject of "%s" (%s) to be %s', (title, excerpt, subject) => {
  expect(subjectOf(title, excerpt)).toBe(subject)
})
