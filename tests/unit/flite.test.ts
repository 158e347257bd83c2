import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { openFlite } from '../../src/narration/speech/flite.ts'
import { resolveVoice, voices } from '../../src/narration/speech/voices.ts'

/** In the order of the checksum. */
const names = ['English_SereneWoman', 'English_GracefulLady', 'English_CalmMan', 'English_DeepMan']

it('speaks a sentence in every voice with the same samples as before, on which the keys of stored narrations rely', async () => {
  const say = await openFlite()
  const all = createHash('sha256')
  expect(names.toSorted()).toEqual(voices.map(({ id }) => id).toSorted())
  for (const name of names) {
    const voice = resolveVoice(name)
    const pcm = await say('The price is four dollars and ten cents, and nobody was charged.', voice, 1.1)
    all.update(new Uint8Array(pcm.buffer))
  }
  expect(all.digest('hex')).toBe('f3d76483efa81cd62f806f61087d28c0a556f08b9f777899cbc55eccf76b8794')
})
