import { findPart } from './find-part.ts'
import { openPlayerBar } from './player-bar.ts'
import { startSaidSearch } from './said-search.ts'
import { loadTranscript, placeFrom, type Sentence } from './transcript.ts'

/**
 * Lets a page of the podcast play each of its episodes in one bar, from the beginning or from a sentence that was found
 * by its search, if it has one.
 */
export function startPodcast(page: Document): void {
  if (!page.querySelector('[data-episodes]')) return
  const episodes = [...page.querySelectorAll<HTMLElement>('[data-episode]')]
  const audio = page.body.appendChild(new Audio())
  let current: HTMLElement | undefined
  let following: Promise<readonly Sentence[]> | undefined

  async function step(by: -1 | 1): Promise<void> {
    following ??= loadTranscript(current?.dataset['transcript'] ?? '')
    const sentences = await following
    // A transcript that failed to load is loaded again at the next attempt.
    if (sentences.length === 0) following = undefined
    const start = sentences[placeFrom(sentences, bar.now(), by)]?.startTime
    if (start !== undefined) bar.goTo(start)
  }
  const bar = openPlayerBar(page, audio, { step: (by) => void step(by), onTime: () => {} })

  const open = (episode: HTMLElement): void => {
    if (episode === current) return
    const { key = '', src, seconds, title = '', artwork = '' } = episode.dataset
    current?.removeAttribute('aria-current')
    episode.setAttribute('aria-current', 'true')
    current = episode
    following = undefined
    const artist = page.title.split(' · ').at(-1) ?? ''
    bar.open({ storageKey: key, src, seconds: Number(seconds), title, artist, artwork })
  }

  for (const episode of episodes) {
    const listen = findPart(HTMLButtonElement, 'listen', episode)
    listen.addEventListener('click', () => {
      const isOther = episode !== current
      open(episode)
      bar.show()
      if (isOther) bar.play()
      else bar.toggle()
    })
    findPart(HTMLAnchorElement, 'listen-plain', episode).remove()
    listen.hidden = false
  }
  if (page.querySelector('[data-said-search]'))
    startSaidSearch(page, (slug, seconds) => {
      const episode = episodes.find(({ dataset }) => dataset['episode'] === slug)
      if (!episode) return false
      open(episode)
      bar.goTo(seconds)
      bar.play()
      return true
    })
}
