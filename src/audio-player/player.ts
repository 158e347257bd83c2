import { findPart } from './find-part.ts'
import { type FollowedText, followText } from './follow-text.ts'
import { openPlayerBar } from './player-bar.ts'
import { loadTranscript, placeFrom, type Sentence } from './transcript.ts'

/** The position of `?t=` in whole seconds, as search results and shared links have it. */
function askedSeconds(): number | undefined {
  const asked = new URLSearchParams(location.search).get('t')
  return asked !== null && /^\d{1,6}$/.test(asked) ? Number(asked) : undefined
}

/** Turns the audio of a post into a player that follows the text, remembers the position and has keyboard shortcuts. */
export function startPlayer(page: Document): void {
  const player = page.querySelector<HTMLElement>('[data-player]')
  if (!player) return
  const audio = findPart(HTMLAudioElement, 'sound', player)
  const listen = findPart(HTMLButtonElement, 'listen', player)
  const text = [...page.querySelectorAll('article h1, article .prose')]
  const { player: storageKey = '', title = '', artwork = '', seconds, transcript = '' } = player.dataset

  let sentences: Sentence[] = []
  let followed: FollowedText | undefined
  let following: Promise<void> | undefined
  const follow = (): Promise<void> => {
    following ??= loadTranscript(transcript).then((loaded) => {
      // A transcript that failed to load is loaded again at the next attempt.
      if (loaded.length === 0) following = undefined
      sentences = loaded
      followed = followText(loaded, text)
      if (loaded.length > 0) page.documentElement.classList.add('is-following')
    })
    return following
  }
  const showAt = (start: number): void => {
    bar.goTo(start)
    followed?.mark(start, 'show')
  }
  async function step(by: -1 | 1): Promise<void> {
    await follow()
    const start = sentences[placeFrom(sentences, bar.now(), by)]?.startTime
    if (start !== undefined) showAt(start)
  }
  const bar = openPlayerBar(page, audio, {
    step: (by) => void step(by),
    onTime: (now) => followed?.mark(now),
  })

  listen.addEventListener('click', () => {
    bar.show()
    bar.toggle()
  })
  audio.addEventListener('play', () => void follow())
  for (const part of text)
    part.addEventListener('click', (event) => {
      if (!(event instanceof MouseEvent) || !followed) return
      const onControl = event.target instanceof Element && event.target.closest('a, button, summary, pre')
      if (onControl || String(page.getSelection() ?? '') !== '') return
      const start = followed.timeAt(event.clientX, event.clientY)
      if (start === undefined) return
      bar.show()
      bar.goTo(start)
      followed.mark(start, 'stay')
    })

  listen.hidden = false
  const artist = page.title.split(' · ').at(-1) ?? ''
  bar.open({ storageKey, title, artist, artwork, seconds: Number(seconds) })
  const asked = askedSeconds()
  if (asked === undefined) return
  bar.show()
  bar.goTo(asked)
  void follow().then(() => followed?.mark(asked, 'show'))
}
