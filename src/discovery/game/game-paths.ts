import type { ProblemKind } from '../../problem-kinds.ts'
import { type FreeTable, toFreePaths } from '../free-operation.ts'
import type { Shop } from '../shop.ts'
import { gameDocuments } from './game-documents.ts'
import { gameStore, unlockOperation } from './game-store.ts'

/** What only the game answers. */
export const gameProblems: readonly ProblemKind[] = [
  'unknown-sku',
  'wrong-token',
  'insufficient-credits',
  'not-redeemable',
]

/** The OpenAPI `paths` of the game host, which names its own address. */
export function toGamePaths({ gameUrl }: Pick<Shop, 'gameUrl'>) {
  const servers = [{ url: gameUrl }]
  const table: FreeTable = { ...gameDocuments, ...gameStore }
  return { ...toFreePaths(table, 'game', servers), '/api/store/unlock': { servers, post: unlockOperation } }
}
