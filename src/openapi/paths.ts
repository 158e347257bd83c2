import type { Host } from '../routes/route.ts'
import { merge, type OperationObject, toOptions } from './operation-object.ts'
import { type Called, toOperation } from './route-operation.ts'

/** How many hosts answer an operation. */
const reach = ({ servers }: OperationObject): number => servers?.length ?? 1

/** The OpenAPI `paths` of all that can be called. An address that both programs have is one path with two servers. */
export function toPaths(calls: readonly Called[], origins: Readonly<Record<Host, string>>) {
  const toWhole = (same: readonly Called[]): OperationObject => {
    const hosts = same.map(({ route }) => route.host)
    const servers = hosts.includes('game') && { servers: hosts.map((host) => ({ url: origins[host] })) }
    return { ...same.map(toOperation).reduce(merge), ...servers }
  }
  const toItem = (sharing: readonly Called[]): Record<string, OperationObject> => {
    const operations = [...Map.groupBy(sharing, ({ method }) => method.toLowerCase())].map(
      ([method, same]) => [method, toWhole(same)] as const,
    )
    const [[, widest] = []] = operations.toSorted(([, one], [, other]) => reach(other) - reach(one))
    return { ...Object.fromEntries(operations), ...(widest && { options: toOptions(widest) }) }
  }
  const byPath = Map.groupBy(calls, ({ route }) => route.path)
  return Object.fromEntries(Array.from(byPath, ([path, sharing]) => [path, toItem(sharing)]))
}
