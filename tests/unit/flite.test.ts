import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { openFlite } from '../../src/narration/speech/flite.ts'
import { voices } from '../../src/narration/speech/voices.ts'

it('says a sentence in every voice with the same samples as ever, which is what finished narrations are kept by', async () => {
  const say = await openFlite()
  const all = createHash('sha256')
  for (const voice of voices) {
    const pcm = await say('The price is four dollars and ten cents, and nobody was charged.', voice, 1.1)
    all.update(new Uint8Array(pcm.buffer))
  }
  expect(all.digest('hex')).toBe('f3d76483efa81cd62f806f61087d28c0a556f08b9f777899cbc55eccf76b8794')
})
