/** A form that takes the e-mail address of somebody who wants new posts. */
export interface NewsletterForm {
  /** Where it is sent. */
  readonly action: string
  /** What the field of the address is called. */
  readonly field: string
}
