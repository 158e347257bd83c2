import { describe, expect, it } from 'vitest'
import { toMarkdown } from '../../src/content/to-markdown.ts'
import { toPlainText } from '../../src/content/to-plain-text.ts'
import { withFormulas } from '../../src/content/with-formulas.ts'
import { readWriting } from '../../src/content/writing.ts'

describe('a formula between single dollar signs', () => {
  it.each([
    ['in a line', 'So $x^2 + \\frac{a}{b}$ holds.', 'So $$x^2 + \\frac{a}{b}$$ holds.'],
    ['behind prices', 'It is $5, or $0.05 and $6, for $n > 1$.', 'It is $5, or $0.05 and $6, for $$n > 1$$.'],
    ['between prices', 'From $5 or $6 $a$ and $b$ to $7.', 'From $5 or $6 $$a$$ and $$b$$ to $7.'],
    ['that begins with a figure', 'As $2x = 4$ and $y$.', 'As $$2x = 4$$ and $$y$$.'],
    ['beside code', '`$x$` is $x$\n\n```sh\n$x$\n```', '`$x$` is $$x$$\n\n```sh\n$x$\n```'],
    ['beside one between two', '$$a$$ and $b$', '$$a$$ and $$b$$'],
    ['in a component', '<Aside>\n\nIf $a{1}$\n\n</Aside>', '<Aside>\n\nIf $$a{1}$$\n\n</Aside>'],
  ])('is recognized: %s', (_, source, known) => {
    expect(withFormulas(source)).toBe(known)
    expect(withFormulas(known)).toBe(known)
  })

  it.each([
    ['prices', 'From $5 to $10, or $0.05/$0.06, **$1**-**$2**, $7.'],
    ['an escaped sign', 'The variable \\$a$ is set.'],
    ['what a program writes', "export const price = '$a$'\n\n{price} and `$a$`"],
    ['names of variables', 'Set $HOME and $PATH first, or $A and $B.'],
  ])('is not seen in %s', (_, source) => {
    expect(withFormulas(source)).toBe(source)
  })
})

it('a formula stays TeX in markdown and in the search index', () => {
  const writing = readWriting('Costs $p = 5n$ cents.\n\n$$\nE = mc^2\n$$\n\nEnd.')
  expect(toMarkdown(writing)).toBe('Costs $$p = 5n$$ cents.\n\n$$\nE = mc^2\n$$\n\nEnd.')
  expect(toPlainText(writing)).toBe('Costs p = 5n cents. E = mc^2 End.')
})
