/** A component's tag on a line of its own. */
export interface ComponentTag {
  readonly name: string
  readonly is: 'opening' | 'closing' | 'whole'
  readonly attributes: Readonly<Partial<Record<string, string>>>
}

const tag = /^[ \t]{0,3}<(\/?)([A-Z]\w*)((?:\s+\w+="[^"]*")*)\s*(\/?)>[ \t]*$/
const attribute = /(\w+)="([^"]*)"/g

/** Reads a line that is nothing but the tag of a component whose attributes are texts. */
export function readTag(line: string): ComponentTag | undefined {
  const match = tag.exec(line)
  if (!match) return undefined
  const [, slash, name = '', attributes = '', whole] = match
  return {
    name,
    is: slash ? 'closing' : whole ? 'whole' : 'opening',
    attributes: Object.fromEntries([...attributes.matchAll(attribute)].map(([, key = '', value = '']) => [key, value])),
  }
}
