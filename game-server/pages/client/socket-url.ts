/** Where a page is open. */
type Opened = Pick<Location, 'host' | 'protocol' | 'origin'>

/**
 * The address of the socket for a page as it was opened. Where the host answers under several names (127.0.0.1, a
 * name in the house, a tunnel), the socket is under the same one as the page; a socket that the operator put on a host
 * of its own stays there.
 *
 * @param home the public address of the game
 */
export function toSocketUrl({ ws, home }: { ws: string; home: string }, page: Opened): string {
  const socket = new URL(ws)
  if (page.origin === home || socket.host !== new URL(home).host) return ws
  return `${page.protocol === 'https:' ? 'wss:' : 'ws:'}//${page.host}${socket.pathname}`
}

/** What somebody can do whose page is under another name than the game, and gets no line. */
export const toOtherNameAdvice = (home: string, page: Opened): string =>
  page.origin === home
    ? ''
    : `The dungeon does not answer under ${page.origin}. Open ${home}, or have its operator set GAME_URL to the address you use.`

/** What a page says of its socket. */
export const readSocketPlace = ({ dataset }: HTMLElement): { ws: string; home: string } => ({
  ws: dataset['ws'] ?? '',
  home: dataset['home'] ?? '',
})
