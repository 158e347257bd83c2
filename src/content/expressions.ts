import { parseAst } from 'rolldown/parseAst'
import { type Node, nodesOf } from './writing-tree.ts'

type Statement = ReturnType<typeof parseAst>['body'][number]
type Expression = Extract<Extract<Statement, { type: 'ExpressionStatement' }>['expression'], object>

/** Returns the text that a page shows for an expression; undefined when it cannot be evaluated statically. */
export type Evaluate = (code: string) => string | undefined

/** The longest string that an expression may produce. */
const maxCharacters = 10_000

/** Thrown, and caught in this file, for what cannot be evaluated statically. */
class Unknown extends Error {}
const unknown = (): never => {
  throw new Unknown()
}

const isPlain = (value: unknown): value is string | number | boolean | null | undefined =>
  value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)

function add(left: unknown, right: unknown): unknown {
  if (!isPlain(left) || !isPlain(right)) return unknown()
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (typeof left !== 'string' && typeof right !== 'string') return unknown()
  const text = `${left}${right}`
  return text.length > maxCharacters ? unknown() : text
}

const numeric: Readonly<Record<string, (left: number, right: number) => unknown>> = {
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '**': (left, right) => left ** right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
}

function combine(operator: string, left: unknown, right: unknown): unknown {
  if (operator === '+') return add(left, right)
  if (operator === '===') return left === right
  if (operator === '!==') return left !== right
  const calculate = numeric[operator]
  return calculate && typeof left === 'number' && typeof right === 'number' ? calculate(left, right) : unknown()
}

/** The value of an own property of a string, an array or an object; inherited properties are undefined. */
function memberOf(value: unknown, key: unknown): unknown {
  if (value === null || (typeof value !== 'object' && typeof value !== 'string')) return unknown()
  return Object.getOwnPropertyDescriptor(Object(value), String(key))?.value
}

/**
 * Evaluates literals, templates, arrays, objects and their members, arithmetic, comparisons and conditionals over known
 * names. No function is called, so that a text cannot run code or loop.
 */
function worthOf(node: Expression, find: (name: string) => unknown): unknown {
  const of = (inner: Expression) => worthOf(inner, find)
  switch (node.type) {
    case 'Literal':
      return isPlain(node.value) ? node.value : unknown()
    case 'Identifier':
      return find(node.name)
    case 'ParenthesizedExpression':
      return of(node.expression)
    case 'TemplateLiteral':
      return node.quasis
        .map(({ value }) => value.cooked ?? '')
        .reduce((text, quasi, place) => {
          const inner = node.expressions[place - 1]
          return String(add(add(text, inner ? of(inner) : ''), quasi))
        })
    case 'UnaryExpression': {
      const value = of(node.argument)
      if (node.operator === '!') return !value
      if (node.operator === '-' && typeof value === 'number') return -value
      return unknown()
    }
    case 'BinaryExpression':
      return node.left.type === 'PrivateIdentifier' ? unknown() : combine(node.operator, of(node.left), of(node.right))
    case 'LogicalExpression': {
      const left = of(node.left)
      if (node.operator === '??') return left ?? of(node.right)
      return Boolean(left) === (node.operator === '&&') ? of(node.right) : left
    }
    case 'ConditionalExpression':
      return of(of(node.test) ? node.consequent : node.alternate)
    case 'MemberExpression':
      if (node.object.type === 'Super') return unknown()
      return memberOf(of(node.object), node.computed ? of(node.property) : keyOf(node.property))
    case 'ArrayExpression':
      return node.elements.map((item) => (item === null || item.type === 'SpreadElement' ? unknown() : of(item)))
    case 'ObjectExpression':
      return Object.fromEntries(
        node.properties.map((property) =>
          property.type === 'SpreadElement' || property.kind !== 'init'
            ? unknown()
            : [property.computed ? unknown() : String(keyOf(property.key)), of(property.value)],
        ),
      )
    default:
      return unknown()
  }
}

/** The key of a member or a property, written as an identifier or a literal. */
const keyOf = (key: { readonly type: string }): unknown =>
  'name' in key ? key.name : 'value' in key ? key.value : unknown()

/**
 * What is wrong with an import or export of a post, to be appended to file and line; `line` counts from 0 in `code`.
 */
export function findModuleFault(code: string): { line: number; sentence: string } | undefined {
  try {
    parseAst(code, { lang: 'tsx' })
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, line = '1'] = /^(\d+): .*\n\s*\^/m.exec(message) ?? []
    const [, what = message] = message.split('\n')
    return { line: Number(line) - 1, sentence: `this import or export cannot be read: ${what.trim()}` }
  }
}

/** The statements in the import and export blocks of a post. */
const statementsOf = (root: Node) =>
  nodesOf(root).flatMap(({ type, value = '' }) => (type === 'mdxjsEsm' ? parseAst(value, { lang: 'tsx' }).body : []))

/** The declaration of a statement, exported or not. */
const declaredBy = (statement: Statement) =>
  statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement

/** The names that a post imports and declares. */
export const declaredNames = (root: Node): string[] =>
  statementsOf(root).flatMap((statement) => {
    if (statement.type === 'ImportDeclaration') return statement.specifiers.map(({ local }) => local.name)
    const declared = declaredBy(statement)
    if (declared?.type === 'FunctionDeclaration' || declared?.type === 'ClassDeclaration')
      return declared.id?.name ?? []
    if (declared?.type !== 'VariableDeclaration') return []
    return declared.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  })

/** The constants that a post declares, each with its initializer. */
const constantsOf = (root: Node): Map<string, Expression> =>
  new Map(
    statementsOf(root).flatMap((statement) => {
      const declared = declaredBy(statement)
      if (declared?.type !== 'VariableDeclaration' || declared.kind !== 'const') return []
      return declared.declarations.flatMap(({ id, init }): [string, Expression][] =>
        id.type === 'Identifier' && init ? [[id.name, init]] : [],
      )
    }),
  )

/**
 * The text that a page shows for a value; undefined for values that cannot be shown as text, or are too long.
 *
 * @param known the texts of arrays that were shown before: one that contains another twice, and so on, takes no longer
 */
function toWords(value: unknown, known = new Map<unknown, string | undefined>()): string | undefined {
  if (!Array.isArray(value)) {
    if (!isPlain(value)) return undefined
    return value === 0 || value ? String(value) : ''
  }
  if (known.has(value)) return known.get(value)
  const parts = value.map((item) => toWords(item, known))
  const characters = parts.reduce((sum, part) => sum + (part ?? '').length, 0)
  const words = parts.includes(undefined) || characters > maxCharacters ? undefined : parts.join('')
  known.set(value, words)
  return words
}

/** Makes the evaluator of a post's expressions, which knows the constants of the post. */
export function makeEvaluate(root: Node): Evaluate {
  const constants = constantsOf(root)
  const known = new Map<string, unknown>([['undefined', undefined]])
  const find = (name: string): unknown => {
    const init = constants.get(name)
    constants.delete(name)
    if (init) known.set(name, worthOf(init, find))
    return known.has(name) ? known.get(name) : unknown()
  }
  return (code) => {
    const [statement] = parseAst(`[${code}\n]`, { lang: 'tsx' }).body
    const list = statement?.type === 'ExpressionStatement' ? statement.expression : undefined
    try {
      // The code is parsed as the element of an array, so that a comment alone gives an empty array.
      return list?.type === 'ArrayExpression' && list.elements.length < 2 ? toWords(worthOf(list, find)) : undefined
    } catch (error) {
      if (error instanceof Unknown) return undefined
      throw error
    }
  }
}
