/** Which dungeon the address of the page asks for, until its one life is over or refused: then the open one is played. */
export interface AskedMode {
  /** Undefined: the life that is under way, else one in an open dungeon. */
  readonly read: () => string | undefined
  readonly forget: () => void
}

/** @example `/play.html?mode=cup`, `/play.html?mode=daily` */
export const makeAskedMode = (): AskedMode => ({
  read: () => /[?&]mode=(cup|daily)(?:&|$)/.exec(location.search)?.[1],
  forget: () => history.replaceState(null, '', location.pathname),
})
