import { skipSeconds } from './player-keys.ts'

/** What the system shows of a narration. */
export interface ShownNarration {
  readonly title: string
  readonly artist: string
  /** Address of a square picture. */
  readonly artwork: string
}

/** What media keys, headphones, watches and lock screens can control. */
export interface SessionHands {
  goTo(seconds: number): void
  step(by: -1 | 1): void
  stop(): void
}

/** Connects the player with the Media Session API: reports what is playing and where, and handles its actions. */
export function openMediaSession(audio: HTMLAudioElement, { goTo, step, stop }: SessionHands) {
  if (!('mediaSession' in navigator)) return { show: () => {} }
  const { mediaSession } = navigator
  const skip = (seconds: number) => goTo(Math.max(0, audio.currentTime + seconds))
  const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play: () => void audio.play(),
    pause: () => audio.pause(),
    stop,
    previoustrack: () => step(-1),
    nexttrack: () => step(1),
    seekbackward: ({ seekOffset }) => skip(-(seekOffset ?? skipSeconds)),
    seekforward: ({ seekOffset }) => skip(seekOffset ?? skipSeconds),
    seekto: ({ seekTime }) => seekTime !== undefined && goTo(seekTime),
  }
  for (const action of Object.keys(handlers) as MediaSessionAction[])
    try {
      mediaSession.setActionHandler(action, handlers[action] ?? null)
    } catch {
      // Browsers throw for actions that they do not support.
    }
  const tellPosition = () => {
    mediaSession.playbackState = audio.paused ? 'paused' : 'playing'
    const { duration, currentTime, playbackRate } = audio
    if (Number.isFinite(duration))
      mediaSession.setPositionState({ duration, playbackRate, position: Math.min(currentTime, duration) })
  }
  for (const event of ['loadedmetadata', 'play', 'pause', 'seeked', 'ratechange'])
    audio.addEventListener(event, tellPosition)
  return {
    show({ title, artist, artwork }: ShownNarration) {
      mediaSession.metadata = new MediaMetadata({
        title,
        artist,
        artwork: [{ src: artwork, sizes: '1400x1400', type: 'image/jpeg' }],
      })
    },
  }
}
