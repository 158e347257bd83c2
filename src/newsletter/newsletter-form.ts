/** A form to subscribe to new posts by e-mail. */
export interface NewsletterForm {
  /** The URL that it is submitted to. */
  readonly action: string
  /** Name of the field for the e-mail address. */
  readonly field: string
}
