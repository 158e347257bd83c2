import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFonts } from './fonts.ts'
import { type LicenceFile, readLicenceFile, toLicenceKey, withoutCopyright } from './licence-file.ts'
import { type Part, parts, readShippedPackages, type ShippedPackage } from './shipped-packages.ts'

type Licensed = ShippedPackage & LicenceFile

const opening = `Farthing is under the licence in LICENSE. It ships with, and is built from, works of others under the licences below.
Packages are installed by npm, each with its own licence file. A name that ends in * stands for a row of packages, of
which a machine has the one for its platform.

Written by \`npm run notices\` from package-lock.json and what is installed.`

const heading = (title: string): string => `${'='.repeat(78)}\n${title}\n${'='.repeat(78)}`
const section = (title: string, ...blocks: readonly string[]): string =>
  [heading(title), ...blocks].filter((block) => block !== '').join('\n\n')

/**
 * The text of `NOTICE`: the works that are shipped, and their licences. It is the same on every machine.
 *
 * @throws Error when a licence is not known
 */
export function toNotice(root: string): string {
  const packages = readShippedPackages(root).map((item) => ({ ...item, ...readLicence(root, item) }))
  const inside = parts.filter(({ within }) => packages.some(({ name }) => name === within))
  return `${[
    opening,
    ...fontSections(root),
    ...(inside.length > 0 ? [section('Engines inside packages', ...inside.map(partText))] : []),
    ...[...groupByText(packages)].map(groupText),
    ...inside
      .flatMap(({ texts }) => texts)
      .map((name) => section(name, readFileSync(join(import.meta.dirname, 'licences', `${name}.txt`), 'utf8').trim())),
  ].join('\n\n\n')}\n`
}

const readLicence = (root: string, { folder }: ShippedPackage): LicenceFile =>
  folder === undefined ? { text: undefined, copyright: [], source: undefined } : readLicenceFile(join(root, folder))

function fontSections(root: string): string[] {
  const groups = Map.groupBy(findFonts(root), ({ licence }) => toLicenceKey(licence))
  return [...groups.values()].map((families) =>
    section(
      'Fonts (OFL-1.1)',
      ...families.map(({ name, files, copyright }) => `${name}\n  ${copyright}\n  ${files.join(', ')}`),
      families[0]?.licence ?? '',
    ),
  )
}

const partText = ({ name, within, licence, copyright, source, note }: Part): string =>
  `${name}\n  in ${within}, under ${licence}\n  ${copyright}\n  Source: ${source}\n  ${note}`

/**
 * Packages grouped by licence text, largest group first. One without a licence file joins the largest group with its
 * licence.
 */
function groupByText(packages: readonly Licensed[]): Map<string, Licensed[]> {
  const written = packages.filter(({ text }) => text !== undefined)
  const byText = [...Map.groupBy(written, ({ text = '' }) => toLicenceKey(text))].sort(
    ([, a], [, b]) => b.length - a.length,
  )
  const groups = new Map(byText)
  for (const item of packages) {
    if (item.text !== undefined) continue
    const usual = byText.find(([, [first]]) => first?.licence === item.licence)?.[0] ?? item.licence
    groups.set(usual, [...(groups.get(usual) ?? []), item])
  }
  return groups
}

function groupText([, items]: readonly [string, readonly Licensed[]]): string {
  const sorted = items.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const written = sorted.filter(({ text }) => text !== undefined)
  const text = written[0]?.text ?? ''
  const licences = [...new Set(sorted.map(({ licence }) => licence))].join(', ')
  // A text that only one package has may contain its copyright notice anywhere, so it is kept complete.
  return sorted.length === 1
    ? section(licences, sorted.map((item) => packageLine({ ...item, copyright: [] })).join(), text)
    : section(licences, sorted.map(packageLine).join('\n'), withoutCopyright(text))
}

/** Licences that require whoever distributes a work to say where its source is. */
const needsSource = /MPL|LGPL/

function packageLine({ name, version, licence, copyright, source }: Licensed): string {
  const whose = copyright.length > 0 ? `: ${copyright.join('; ')}` : ''
  return `${name} ${version}${whose}${needsSource.test(licence) && source ? `; source: ${source}` : ''}`
}
