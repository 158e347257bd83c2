/** The location of a page. */
type Opened = Pick<Location, 'host' | 'protocol' | 'origin'>

/**
 * The URL of the socket for a page. Where the host is reached under several names (127.0.0.1, a name in the local
 * network, a tunnel), the socket uses the name of the page, unless the operator has put it on another host.
 *
 * @param home the public URL of the game
 */
export function toSocketUrl({ ws, home }: { ws: string; home: string }, page: Opened): string {
  const socket = new URL(ws)
  if (page.origin === home || socket.host !== new URL(home).host) return ws
  return `${page.protocol === 'https:' ? 'wss:' : 'ws:'}//${page.host}${socket.pathname}`
}

/** What to do when a page under another name than the game's gets no connection; empty under the game's own. */
export const toOtherNameAdvice = (home: string, page: Opened): string =>
  page.origin === home
    ? ''
    : `The dungeon does not answer under ${page.origin}. Open ${home}, or have its operator set GAME_URL to the address you use.`

/** Reads the URLs of the socket and of the game from the page. */
export const readSocketPlace = ({ dataset }: HTMLElement): { ws: string; home: string } => ({
  ws: dataset['ws'] ?? '',
  home: dataset['home'] ?? '',
})
