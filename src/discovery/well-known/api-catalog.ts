import { type MachineDocument, registry } from '../registry.ts'
import type { Shop } from '../shop.ts'

const relations = ['service-desc', 'service-doc', 'service-meta', 'status'] as const

/** One service of the link set: its address, and by relation what describes it. */
function toContext(origins: Record<MachineDocument['host'], string>, host: MachineDocument['host']) {
  // One description covers both services, because they share prices, problems and payments.
  const isOf = (document: MachineDocument): boolean => document.host === host || document.relation === 'service-desc'
  const linksOf = (relation: MachineDocument['relation']) =>
    registry
      .filter((document) => document.relation === relation && isOf(document))
      .map(({ host: at, path, type, title }) => ({ href: origins[at] + path, type, title }))
  return {
    anchor: `${origins[host]}/`,
    ...Object.fromEntries(relations.map((relation) => [relation, linksOf(relation)])),
  }
}

/** `/.well-known/api-catalog` (RFC 9727): both services as a link set (RFC 9264). */
export function toApiCatalog({ baseUrl, gameUrl }: Pick<Shop, 'baseUrl' | 'gameUrl'>) {
  const origins = { site: baseUrl, game: gameUrl }
  return { linkset: [toContext(origins, 'site'), toContext(origins, 'game')] }
}
