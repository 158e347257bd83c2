/**
 * Reads a header of weighted choices (`Accept`, `Accept-Encoding`; RFC 9110, 12.4.2) as name to weight, in lower case.
 * A weight that cannot be read counts as zero: the choice was not clearly wanted.
 *
 * @example readQualities('br;q=0.5, gzip') // Map { 'br' => 0.5, 'gzip' => 1 }
 */
export function readQualities(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>()
  for (const item of header.toLowerCase().split(',', 64)) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    if (name === '') continue
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
    qualities.set(name, weight === undefined ? 1 : toWeight(weight.slice(weight.indexOf('=') + 1).trim()))
  }
  return qualities
}

const toWeight = (text: string): number => (/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0)
