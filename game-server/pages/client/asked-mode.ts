/** The mode in the URL of the page. It is forgotten once that life is over or refused, so that the next one is open. */
export interface AskedMode {
  /** Undefined for the life that is under way, or else a new one in an open dungeon. */
  readonly read: () => string | undefined
  readonly forget: () => void
}

/** @example `/play.html?mode=cup`, `/play.html?mode=daily` */
export const makeAskedMode = (): AskedMode => ({
  read: () => /[?&]mode=(cup|daily)(?:&|$)/.exec(location.search)?.[1],
  forget: () => history.replaceState(null, '', location.pathname),
})
