import { findPart } from './find-part.ts'
import { openMediaSession, type ShownNarration } from './media-session.ts'
import { memory } from './memory.ts'
import { listenToKeys } from './player-keys.ts'

/** A narration that the bar plays. */
export interface Narration extends ShownNarration {
  readonly storageKey: string
  /** Address of the sound, where the page has not said it. */
  readonly src?: string | undefined
  /** Its length, which is known before a byte of sound is here. */
  readonly seconds: number
}

/** The bar at the foot of the window, and the sound that it leads. */
export interface PlayerBar {
  /** Makes it the bar of this narration. Where it was left last time is gone to. */
  open(narration: Narration): void
  show(): void
  /** Where it is, or will be once the sound is here. */
  now(): number
  goTo(seconds: number): void
  play(): void
  toggle(): void
}

interface Hands {
  /** To the sentence before, or the next one. */
  step(by: -1 | 1): void
  /** The sound has come to a time. */
  onTime(seconds: number): void
}

/** Nearer to its end than this, a narration was heard to the end and starts anew next time. */
const endingSeconds = 5
const keepEverySeconds = 5

const toClock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** Wires the bar of a page to its sound; by buttons, keys and what the system offers. */
export function openPlayerBar(page: Document, audio: HTMLAudioElement, { step, onTime }: Hands): PlayerBar {
  const bar = findPart(HTMLElement, 'bar', page)
  const play = findPart(HTMLButtonElement, 'play', bar)
  const seek = findPart(HTMLInputElement, 'seek', bar)
  const speed = findPart(HTMLSelectElement, 'speed', bar)
  const time = findPart(HTMLElement, 'time', bar)
  const length = findPart(HTMLElement, 'length', bar)
  const name = findPart(HTMLElement, 'name', bar)
  let storageKey = ''
  /** Where to go as soon as the length is known: a file that is not loaded cannot be sought in. */
  let wanted: number | undefined
  let keptAt = 0
  let title = ''
  /** What had the focus when the bar was shown. */
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
      // What is on its way will do: to ask anew would break it off, and stop what is to be heard.
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
    // Who has closed it is where they opened it, and reads on where they read.
    const place = opener?.matches('a, button') ? opener : page.querySelector('[data-listen]')
    if (place instanceof HTMLElement) place.focus({ preventScroll: true })
  }
  const start = () => {
    show()
    // What could not be loaded is never played: it has to be asked for again, from where it was.
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
