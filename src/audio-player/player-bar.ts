import { findPart } from './find-part.ts'
import { openMediaSession, type ShownNarration } from './media-session.ts'
import { memory } from './memory.ts'
import { listenToKeys } from './player-keys.ts'

/** A narration for the player bar. */
export interface Narration extends ShownNarration {
  readonly storageKey: string
  /** Address of the MP3, unless the audio element of the page has it. */
  readonly src?: string | undefined
  /** Length in seconds, which is known before the audio is loaded. */
  readonly seconds: number
}

/** The player bar at the bottom of the window, and the audio that it controls. */
export interface PlayerBar {
  /** Opens a narration in the bar, at the position where the listener left it. */
  open(narration: Narration): void
  show(): void
  /** The position in seconds; before the audio is loaded, the position to which it will seek. */
  now(): number
  goTo(seconds: number): void
  play(): void
  toggle(): void
}

interface Hands {
  /** Steps to the previous or the next sentence. */
  step(by: -1 | 1): void
  /** Called with the position while the audio plays. */
  onTime(seconds: number): void
}

/** A narration left closer to its end than this counts as finished, and starts from the beginning next time. */
const endingSeconds = 5
const keepEverySeconds = 5

const toClock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** Connects the bar of a page with its audio: buttons, keys and the Media Session API. */
export function openPlayerBar(page: Document, audio: HTMLAudioElement, { step, onTime }: Hands): PlayerBar {
  const bar = findPart(HTMLElement, 'bar', page)
  const play = findPart(HTMLButtonElement, 'play', bar)
  const seek = findPart(HTMLInputElement, 'seek', bar)
  const speed = findPart(HTMLSelectElement, 'speed', bar)
  const time = findPart(HTMLElement, 'time', bar)
  const length = findPart(HTMLElement, 'length', bar)
  const name = findPart(HTMLElement, 'name', bar)
  let storageKey = ''
  /** Position to seek to once the metadata is loaded; before that, a file cannot be sought in. */
  let wanted: number | undefined
  let keptAt = 0
  let title = ''
  /** The element that had the focus when the bar was shown. */
  let opener: Element | null = null

  const isLoaded = () => audio.readyState >= HTMLMediaElement.HAVE_METADATA
  const now = () => wanted ?? audio.currentTime
  const showTime = (seconds: number): void => {
    time.textContent = toClock(seconds)
    seek.value = String(Math.floor(seconds))
    seek.setAttribute('aria-valuetext', `${toClock(seconds)} of ${toClock(Number(seek.max))}`)
  }
  const showLength = (seconds: number): void => {
    seek.max = String(Math.floor(seconds))
    length.textContent = toClock(seconds)
  }
  const showState = () => play.setAttribute('aria-label', audio.paused ? 'Play' : 'Pause')
  const goTo = (seconds: number): void => {
    if (isLoaded()) audio.currentTime = seconds
    else {
      wanted = seconds
      // A load in progress is enough: another `load()` would abort it and stop the playback.
      if (audio.networkState !== HTMLMediaElement.NETWORK_LOADING) {
        audio.preload = 'metadata'
        audio.load()
      }
    }
    showTime(seconds)
  }
  const show = () => {
    if (bar.hidden) opener = page.activeElement
    bar.hidden = false
    page.documentElement.classList.add('is-heard')
  }
  const close = () => {
    audio.pause()
    const hadFocus = bar.contains(page.activeElement)
    bar.hidden = true
    page.documentElement.classList.remove('is-heard')
    if (!hadFocus) return
    // Returns the focus to where the bar was opened, without scrolling.
    const place = opener?.matches('a, button') ? opener : page.querySelector('[data-listen]')
    if (place instanceof HTMLElement) place.focus({ preventScroll: true })
  }
  const start = () => {
    show()
    // After an error the audio plays only if it is loaded again, from the same position.
    if (audio.error) {
      wanted = now()
      audio.load()
    }
    audio.play().catch(showState)
  }
  const toggle = () => {
    if (audio.paused) start()
    else audio.pause()
  }
  const keepPosition = () => {
    const at = now()
    const isHeard = at > (audio.duration || Number(seek.max)) - endingSeconds
    memory.keepPosition(storageKey, isHeard || at < 1 ? undefined : at)
  }
  const session = openMediaSession(audio, { goTo, step, stop: close })

  audio.addEventListener('loadedmetadata', () => {
    showLength(audio.duration)
    audio.playbackRate = Number(speed.value)
    if (wanted !== undefined) audio.currentTime = Math.min(wanted, audio.duration)
    wanted = undefined
    name.textContent = title
  })
  audio.addEventListener('error', () => {
    audio.pause()
    showState()
    name.textContent = 'No sound came. Try again.'
  })
  audio.addEventListener('timeupdate', () => {
    if (wanted !== undefined) return
    showTime(audio.currentTime)
    onTime(audio.currentTime)
    if (Math.abs(audio.currentTime - keptAt) < keepEverySeconds) return
    keptAt = audio.currentTime
    keepPosition()
  })
  for (const event of ['play', 'pause', 'ended']) audio.addEventListener(event, showState)
  audio.addEventListener('pause', keepPosition)
  page.defaultView?.addEventListener('pagehide', () => {
    if (isLoaded()) keepPosition()
  })

  play.addEventListener('click', toggle)
  findPart(HTMLButtonElement, 'previous', bar).addEventListener('click', () => step(-1))
  findPart(HTMLButtonElement, 'next', bar).addEventListener('click', () => step(1))
  findPart(HTMLButtonElement, 'close', bar).addEventListener('click', close)
  seek.addEventListener('input', () => goTo(Number(seek.value)))
  speed.addEventListener('change', () => {
    audio.playbackRate = Number(speed.value)
    memory.keepSpeed(audio.playbackRate)
  })
  listenToKeys(page, {
    isOn: () => !bar.hidden,
    tell(areKeys) {
      if (areKeys) play.setAttribute('aria-keyshortcuts', 'K')
      else play.removeAttribute('aria-keyshortcuts')
    },
    toggle,
    skip: (seconds) => goTo(Math.max(0, now() + seconds)),
  })

  const keptSpeed = [...speed.options].find(({ value }) => Number(value) === memory.speed())
  if (keptSpeed) speed.value = keptSpeed.value
  audio.playbackRate = Number(speed.value)
  audio.hidden = true
  audio.controls = false

  return {
    open(narration) {
      if (isLoaded()) keepPosition()
      storageKey = narration.storageKey
      wanted = undefined
      if (narration.src !== undefined) audio.src = narration.src
      title = narration.title
      name.textContent = title
      showLength(narration.seconds)
      showTime(0)
      showState()
      session.show(narration)
      const left = memory.position(storageKey)
      if (left !== undefined) goTo(left)
    },
    show,
    now,
    goTo,
    play: start,
    toggle,
  }
}
