import type { Joined } from '../sessions/join-game.ts'

/** The `welcome` message: the player's character, and the token for coming back. */
export const toWelcome = ({ session, token, isResumed, requested }: Joined) => {
  const { owner, realm, player, badges } = session
  return {
    type: 'welcome',
    v: 1,
    you: { id: player, name: owner.name, kind: owner.kind, badges },
    realm: realm.id,
    mode: realm.mode,
    resumeToken: token,
    resumed: isResumed,
    ...(requested !== undefined && { requested, note: 'name_taken' }),
  }
}
