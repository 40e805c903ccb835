/**
 * Standard Schema v1, the interface by which libraries take validators of any make.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  /** What libraries look at. */
  readonly "~standard": StandardProps<Input, Output>;
}

/** What libraries look at. */
export interface StandardProps<Input = unknown, Output = Input> {
  /** The version of the interface. */
  readonly version: 1;
  /** Who made the validator. */
  readonly vendor: string;
  /** Checks a value. */
  readonly validate: (value: unknown) => StandardResult<Output>;
  /** The types before and after; there is never a value here. */
  readonly types?: StandardTypes<Input, Output> | undefined;
}

/** What checking a value gives. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** What is wrong with a value. */
export interface StandardIssue {
  /** A sentence. */
  readonly message: string;
  /** The steps to the place. */
  readonly path?: readonly PropertyKey[] | undefined;
}

/** The types before and after. */
export interface StandardTypes<Input, Output> {
  /** What may be given. */
  readonly input: Input;
  /** What comes out. */
  readonly output: Output;
}
