import type { Browser } from 'playwright'
import { z } from 'zod'

const soundSchema = z.object({ rate: z.number(), base64: z.string() })

/** The samples of an MP3 as a browser decodes it, independent of our own code. */
export async function decodeMp3(browser: Browser, mp3: Uint8Array, rate: number) {
  const page = await browser.newPage()
  const sound = await page.evaluate(
    async ([encoded, sampleRate]) => {
      const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))
      const audio = await new OfflineAudioContext(1, 1, sampleRate).decodeAudioData(bytes.buffer)
      const samples = new Uint8Array(new Float32Array(audio.getChannelData(0)).buffer)
      let text = ''
      for (let place = 0; place < samples.length; place += 8192)
        text += String.fromCharCode(...samples.subarray(place, place + 8192))
      return { rate: audio.sampleRate, base64: btoa(text) }
    },
    [Buffer.from(mp3).toString('base64'), rate] as const,
  )
  await page.close()
  const { base64, ...about } = soundSchema.parse(sound)
  return { ...about, samples: new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer) }
}
