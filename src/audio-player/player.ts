import { type FollowedText, followText } from './follow-text.ts'
import { memory } from './memory.ts'
import { loadTranscript, type Sentence, sentenceAt } from './transcript.ts'

/** Nearer to its end than this, a narration was heard to the end and starts anew next time. */
const endingSeconds = 5
const keepEverySeconds = 5
/** Going back within this long of a sentence's beginning means the one before it. */
const againSeconds = 1.5

const toClock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** `?t=` in whole seconds, as search results and shared links have it. */
function askedSeconds(): number | undefined {
  const asked = new URLSearchParams(location.search).get('t')
  return asked !== null && /^\d{1,6}$/.test(asked) ? Number(asked) : undefined
}

/** Makes the page's player one that follows the text, remembers the listener and can be led by keys. */
export function startPlayer(page: Document): void {
  const player = page.querySelector<HTMLElement>('[data-player]')
  const audio = player?.querySelector('audio')
  const bar = player?.querySelector<HTMLElement>('[data-bar]')
  const play = player?.querySelector<HTMLButtonElement>('[data-play]')
  const seek = player?.querySelector<HTMLInputElement>('[data-seek]')
  const speed = player?.querySelector<HTMLSelectElement>('[data-speed]')
  const time = player?.querySelector<HTMLElement>('[data-time]')
  const text = [...page.querySelectorAll('article h1, article .prose')]
  if (!player || !audio || !bar || !play || !seek || !speed || !time) return
  const storageKey = player.dataset['player'] ?? ''

  let sentences: Sentence[] = []
  let followed: FollowedText | undefined
  let following: Promise<void> | undefined
  /** Where to go as soon as the length is known: a file that is not loaded cannot be sought in. */
  let wanted: number | undefined

  const follow = (): Promise<void> => {
    following ??= loadTranscript(player.dataset['transcript'] ?? '').then((loaded) => {
      sentences = loaded
      followed = followText(loaded, text)
      if (loaded.length > 0) page.documentElement.classList.add('is-following')
    })
    return following
  }
  const goTo = (seconds: number): void => {
    if (audio.readyState >= HTMLMediaElement.HAVE_METADATA) audio.currentTime = seconds
    else {
      wanted = seconds
      audio.preload = 'metadata'
      audio.load()
    }
    showTime(seconds)
  }
  function showTime(seconds: number): void {
    if (!time || !seek) return
    time.textContent = toClock(seconds)
    seek.value = String(Math.floor(seconds))
    seek.setAttribute('aria-valuetext', `${toClock(seconds)} of ${toClock(Number(seek.max))}`)
  }
  const toggle = (): void => {
    if (audio.paused) audio.play().catch(() => showState())
    else audio.pause()
  }
  const showState = (): void => play.setAttribute('aria-label', audio.paused ? 'Play' : 'Pause')
  const keepPosition = (): void => {
    const isHeard = audio.currentTime > audio.duration - endingSeconds
    memory.keepPosition(storageKey, isHeard || audio.currentTime < 1 ? undefined : audio.currentTime)
  }
  async function step(by: -1 | 1): Promise<void> {
    await follow()
    if (!audio) return
    const now = wanted ?? audio.currentTime
    const here = sentenceAt(sentences, now)
    const isFresh = now - (sentences[here]?.startTime ?? 0) < againSeconds
    const place = by === 1 ? here + 1 : isFresh ? here - 1 : here
    const start = sentences[Math.max(0, place)]?.startTime
    if (start !== undefined) goTo(start)
  }

  audio.addEventListener('loadedmetadata', () => {
    seek.max = String(Math.floor(audio.duration))
    audio.playbackRate = Number(speed.value)
    if (wanted !== undefined) audio.currentTime = Math.min(wanted, audio.duration)
    wanted = undefined
  })
  let keptAt = 0
  audio.addEventListener('timeupdate', () => {
    if (wanted !== undefined) return
    showTime(audio.currentTime)
    followed?.mark(audio.currentTime)
    if (Math.abs(audio.currentTime - keptAt) < keepEverySeconds) return
    keptAt = audio.currentTime
    keepPosition()
  })
  for (const event of ['play', 'pause', 'ended']) audio.addEventListener(event, showState)
  audio.addEventListener('pause', keepPosition)
  audio.addEventListener('play', () => void follow())
  page.defaultView?.addEventListener('pagehide', () => {
    if (audio.readyState >= HTMLMediaElement.HAVE_METADATA) keepPosition()
  })

  play.addEventListener('click', toggle)
  player.querySelector('[data-previous]')?.addEventListener('click', () => void step(-1))
  player.querySelector('[data-next]')?.addEventListener('click', () => void step(1))
  seek.addEventListener('input', () => goTo(Number(seek.value)))
  speed.addEventListener('change', () => {
    audio.playbackRate = Number(speed.value)
    memory.keepSpeed(audio.playbackRate)
  })
  for (const part of text)
    part.addEventListener('click', (event) => {
      if (!(event instanceof MouseEvent) || !followed) return
      const onControl = event.target instanceof Element && event.target.closest('a, button, summary, pre')
      if (onControl || String(page.getSelection() ?? '') !== '') return
      const start = followed.timeAt(event.clientX, event.clientY)
      if (start === undefined) return
      goTo(start)
      followed.mark(start)
    })

  // The whole length is on the page before a byte of sound is.
  seek.max = player.dataset['seconds'] ?? '1'
  const keptSpeed = [...speed.options].find(({ value }) => Number(value) === memory.speed())
  if (keptSpeed) speed.value = keptSpeed.value
  audio.playbackRate = Number(speed.value)
  audio.hidden = true
  audio.controls = false
  bar.hidden = false
  showState()
  offerMediaKeys(player.dataset['title'] ?? '', { play: () => void audio.play(), pause: () => audio.pause(), step })

  const asked = askedSeconds()
  if (asked !== undefined) {
    goTo(asked)
    void follow().then(() => followed?.mark(asked, true))
  } else {
    const left = memory.position(storageKey)
    if (left !== undefined) goTo(left)
  }
}

interface Hands {
  play(): void
  pause(): void
  step(by: -1 | 1): Promise<void>
}

/** Keys of keyboards and headphones, and what the lock screen says. */
function offerMediaKeys(title: string, { play, pause, step }: Hands): void {
  if (!('mediaSession' in navigator)) return
  const { mediaSession } = navigator
  mediaSession.metadata = new MediaMetadata({ title, artist: document.title.split(' · ').at(-1) ?? '' })
  mediaSession.setActionHandler('play', play)
  mediaSession.setActionHandler('pause', pause)
  mediaSession.setActionHandler('previoustrack', () => void step(-1))
  mediaSession.setActionHandler('nexttrack', () => void step(1))
}
